/** Work of which so much is done at once, in the order in which it came. */
export class Turns {
  readonly #atOnce: number
  readonly #waiting: (() => void)[] = []
  #running = 0

  constructor(atOnce: number) {
    this.#atOnce = atOnce
  }

  /** Rejects with the signal's reason where it is aborted before the work begins. */
  async take<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted()
    if (this.#running >= this.#atOnce) await this.#wait(signal)
    else this.#running++
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running--
    }
  }

  #wait(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const begin = () => {
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(begin), 1)
        reject(signal?.reason as Error)
      }
      this.#waiting.push(begin)
      signal?.addEventListener('abort', leave, { once: true })
    })
  }
}
