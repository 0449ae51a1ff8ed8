import { availableParallelism } from 'node:os'
import type { ReadySandbox } from './ready-sandbox.ts'

export interface WarmPoolOptions {
  size: number
  start(): Promise<ReadySandbox>
  /** Told when a sandbox could not be made ahead of need. */
  onFailure(error: unknown): void
}

interface Waiter {
  resolve(sandbox: ReadySandbox): void
  reject(error: unknown): void
}

// starting more at once than there are cores makes each of them late
const maxStarting = Math.max(2, availableParallelism())
const pauseAfterFailureMs = 1_000

/** Single-use sandboxes made ahead of need. One that was taken never comes back. */
export class WarmPool {
  readonly #options: WarmPoolOptions
  readonly #ready: ReadySandbox[] = []
  readonly #waiters: Waiter[] = []
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

  /** The next sandbox there is, or the next that comes up. */
  take(signal: AbortSignal): Promise<ReadySandbox> {
    const sandbox = this.#ready.shift()
    if (sandbox) {
      this.#hits++
      return Promise.resolve(sandbox)
    }
    this.#misses++
    return new Promise((resolve, reject) => {
      const leave = () => {
        const index = this.#waiters.indexOf(waiter)
        if (index >= 0) this.#waiters.splice(index, 1)
        reject(signal.reason)
      }
      const settled = () => signal.removeEventListener('abort', leave)
      const waiter: Waiter = {
        resolve: (sandbox) => (settled(), resolve(sandbox)),
        reject: (error) => (settled(), reject(error)),
      }
      signal.addEventListener('abort', leave, { once: true })
      this.#waiters.push(waiter)
      this.#startMissing()
    })
  }

  /** Starts what is missing, in the background. */
  refill(): void {
    if (!this.#retry) this.#startMissing()
  }

  async full(): Promise<void> {
    this.refill()
    while (this.#starting.size > 0) await Promise.all(this.#starting)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#retry)
    for (const waiter of this.#waiters.splice(0)) waiter.reject(new Error('The runtime is closed'))
    await Promise.all(this.#starting)
    await Promise.all(this.#ready.splice(0).map(({ launched }) => launched.kill()))
  }

  #startMissing(): void {
    while (!this.#isClosed && this.#starting.size < maxStarting) {
      // while the machine cannot make them, only those that somebody waits for are tried
      const wanted = this.#retry ? this.#waiters.length : this.#options.size + this.#waiters.length
      if (this.#ready.length + this.#starting.size >= wanted) return
      const start = this.#startOne().finally(() => {
        this.#starting.delete(start)
        this.#startMissing()
      })
      this.#starting.add(start)
    }
  }

  async #startOne(): Promise<void> {
    let sandbox: ReadySandbox
    try {
      sandbox = await this.#options.start()
    } catch (error) {
      const waiter = this.#waiters.shift()
      if (waiter) return waiter.reject(error)
      this.#options.onFailure(error)
      this.#retry ??= setTimeout(() => {
        this.#retry = undefined
        this.#startMissing()
      }, pauseAfterFailureMs).unref()
      return
    }
    if (this.#isClosed) return sandbox.launched.kill()
    const waiter = this.#waiters.shift()
    if (waiter) return waiter.resolve(sandbox)
    this.#ready.push(sandbox)
    // one that dies while it waits is no longer there to take
    void sandbox.launched.ended.then(() => {
      const index = this.#ready.indexOf(sandbox)
      if (index < 0) return
      this.#ready.splice(index, 1)
      this.refill()
    })
  }
}
