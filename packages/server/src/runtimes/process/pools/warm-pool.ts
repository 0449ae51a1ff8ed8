import { availableParallelism } from 'node:os'
import type { Launched } from '../../launch/index.ts'
import type { ReadySandbox } from './ready-sandbox.ts'

interface Ready {
  launched: Launched
}

export interface WarmPoolOptions<Sandbox extends Ready> {
  size: number
  start(): Promise<Sandbox>
  /** Told when a sandbox could not be made ahead of need. */
  onFailure(error: unknown): void
}

interface Waiter<Sandbox> {
  resolve(sandbox: Sandbox): void
  reject(error: unknown): void
}

// starting more at once than there are cores makes each of them late
const maxStarting = Math.max(2, availableParallelism())
const pauseAfterFailureMs = 1_000

/** Single-use sandboxes made ahead of need. One that was taken never comes back. */
export class WarmPool<Sandbox extends Ready = ReadySandbox> {
  readonly #options: WarmPoolOptions<Sandbox>
  readonly #ready: Sandbox[] = []
  readonly #waiters: Waiter<Sandbox>[] = []
  readonly #starting = new Set<Promise<void>>()
  #size: number
  #isClosed = false
  #retry: NodeJS.Timeout | undefined
  #hits = 0
  #misses = 0

  constructor(options: WarmPoolOptions<Sandbox>) {
    this.#options = options
    this.#size = options.size
  }

  get stats(): { ready: number; hits: number; misses: number } {
    return { ready: this.#ready.length, hits: this.#hits, misses: this.#misses }
  }

  /** The next sandbox there is, or the next that comes up. */
  take(signal: AbortSignal): Promise<Sandbox> {
    // it has told already, and would not again
    if (signal.aborted) return Promise.reject(signal.reason)
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
      const waiter: Waiter<Sandbox> = {
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

  /** Keeps so many ready from now on; what is too many already is ended. */
  resize(size: number): void {
    this.#size = size
    for (const { launched } of this.#ready.splice(size)) void launched.kill()
    this.refill()
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
      const wanted = this.#retry ? this.#waiters.length : this.#size + this.#waiters.length
      if (this.#ready.length + this.#starting.size >= wanted) return
      const start = this.#startOne().finally(() => {
        this.#starting.delete(start)
        this.#startMissing()
      })
      this.#starting.add(start)
    }
  }

  async #startOne(): Promise<void> {
    let sandbox: Sandbox
    try {
      sandbox = await this.#options.start()
    } catch (error) {
      const waiter = this.#waiters.shift()
      if (waiter) return waiter.reject(error)
      if (this.#isClosed) return
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
