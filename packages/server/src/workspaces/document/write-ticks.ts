/**
 * One write after the other. Those that bring no work of their own share the next write that has not begun; each write with
 * work is a turn of its own.
 */
export class WriteTicks<Work> {
  readonly #write: (work: Work | undefined) => Promise<void>
  #tail: Promise<unknown> = Promise.resolve()
  #next: Promise<void> | undefined

  constructor(write: (work: Work | undefined) => Promise<void>) {
    this.#write = write
  }

  /** Resolves when it is written; fails as its write does. */
  add(work?: Work): Promise<void> {
    if (!work && this.#next) return this.#next
    const written = this.#tail.then(() => {
      if (this.#next === written) this.#next = undefined
      return this.#write(work)
    })
    if (!work) this.#next = written
    this.#tail = written.catch(() => undefined) // told to whoever awaits it
    return written
  }

  /** When the last write so far is over, whatever came of it. */
  async settled(): Promise<void> {
    await this.#tail
  }
}
