// a log that is this many times too long is not waited for any more
const patience = 8

/** Says when the log of a document is long enough for a snapshot. */
export class SnapshotRule {
  readonly #leastBytes: number
  #lastBytes = 0

  /** `leastBytes` of updates are worth a snapshot of a small document. */
  constructor(leastBytes: number) {
    this.#leastBytes = leastBytes
  }

  /** A snapshot of this size was read or made. */
  made(bytes: number): void {
    this.#lastBytes = bytes
  }

  isDue(logBytes: number): boolean {
    return logBytes > this.#threshold
  }

  /** Someone types without a pause: there is no snapshot of what is in no version, and the log goes on growing. */
  isOverdue(logBytes: number): boolean {
    return logBytes > this.#threshold * patience
  }

  get #threshold(): number {
    // of a large document a snapshot costs more than a few more updates do
    return Math.max(this.#leastBytes, this.#lastBytes / 20)
  }
}
