import type { ReadySandbox } from './ready-sandbox.ts'

export interface WarmPoolOptions {
  size: number
  start(): Promise<ReadySandbox>
  /** Told when a sandbox could not be made ahead of need. */
  onFailure(error: unknown): void
}

// starting many at once makes each of them late
const maxStarting = 2
const pauseAfterFailureMs = 1_000

/** Single-use sandboxes made ahead of need. One that was taken never comes back. */
export class WarmPool {
  readonly #options: WarmPoolOptions
  readonly #ready: ReadySandbox[] = []
  readonly #starting = new Set<Promise<void>>()
  #isClosed = false
  #retry: NodeJS.Timeout | undefined
  #hits = 0
  #misses = 0

  constructor(options: WarmPoolOptions) {
    this.#options = options
  }

  get stats(): { ready: number; hits: number; misses: number } {
    return { ready: this.#ready.length, hits: this.#hits, misses: this.#misses }
  }

  take(): Promise<ReadySandbox> {
    const sandbox = this.#ready.shift()
    if (sandbox) this.#hits++
    else this.#misses++
    return sandbox ? Promise.resolve(sandbox) : this.#options.start()
  }

  /** Starts what is missing, in the background. */
  refill(): void {
    if (this.#isClosed || this.#retry) return
    while (this.#starting.size < maxStarting && this.#ready.length + this.#starting.size < this.#options.size) {
      const start = this.#startOne().finally(() => {
        this.#starting.delete(start)
        this.refill()
      })
      this.#starting.add(start)
    }
  }

  async full(): Promise<void> {
    this.refill()
    while (this.#starting.size > 0) await Promise.all(this.#starting)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#retry)
    await Promise.all(this.#starting)
    await Promise.all(this.#ready.splice(0).map(({ launched }) => launched.kill()))
  }

  async #startOne(): Promise<void> {
    try {
      const sandbox = await this.#options.start()
      if (this.#isClosed) return await sandbox.launched.kill()
      this.#ready.push(sandbox)
      // one that dies while it waits is no longer there to take
      void sandbox.launched.ended.then(() => {
        const index = this.#ready.indexOf(sandbox)
        if (index < 0) return
        this.#ready.splice(index, 1)
        this.refill()
      })
    } catch (error) {
      this.#options.onFailure(error)
      this.#retry ??= setTimeout(() => {
        this.#retry = undefined
        this.refill()
      }, pauseAfterFailureMs).unref()
    }
  }
}
