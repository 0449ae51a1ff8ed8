import type { ReadySandbox } from './ready-sandbox.ts'
import { WarmPool } from './warm-pool.ts'

export interface AheadPoolOptions {
  start(): Promise<ReadySandbox>
  onFailure(error: unknown): void
  /** How long after its last use a language is still held ready. */
  idleMs?: number
}

const fiveMinutes = 5 * 60_000

/**
 * One sandbox in which the process of a language waits as well as the driver. It holds as much memory as that process, so there is
 * one only while the language is in use.
 */
export class AheadPool {
  readonly #pool: WarmPool
  readonly #idleMs: number
  #idle: NodeJS.Timeout | undefined
  #isClosed = false

  constructor({ start, onFailure, idleMs = fiveMinutes }: AheadPoolOptions) {
    this.#pool = new WarmPool({ size: 0, start, onFailure })
    this.#idleMs = idleMs
  }

  get ready(): number {
    return this.#pool.stats.ready
  }

  /** The one that is ready; undefined where there is none, because then an ordinary sandbox is there sooner. */
  take(signal: AbortSignal): Promise<ReadySandbox> | undefined {
    return this.#pool.stats.ready > 0 ? this.#pool.take(signal) : undefined
  }

  /** The language was used: the next use is likely near. */
  used(): void {
    if (this.#isClosed) return
    this.#pool.resize(1)
    clearTimeout(this.#idle)
    this.#idle = setTimeout(() => this.#pool.resize(0), this.#idleMs).unref()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#idle)
    await this.#pool.close()
  }
}
