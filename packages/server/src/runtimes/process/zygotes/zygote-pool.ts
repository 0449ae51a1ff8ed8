import { once } from 'node:events'
import { backoff } from '@coherex/contract'
import type { ForkOptions, Launched, LaunchSpec, Zygote } from '../../launch/index.ts'
import type { ReadySandbox } from '../pools/ready-sandbox.ts'
import { WarmPool } from '../pools/warm-pool.ts'

type Limits = LaunchSpec['limits']

interface Ready {
  launched: Launched
}

export interface ZygotePoolOptions<Sandbox extends Ready = ReadySandbox> {
  load(): Promise<Zygote>
  /** Waits until a guest takes what it is there for. */
  ready(launched: Launched): Promise<Sandbox>
  /** Guests forked ahead of need, with these limits. */
  ahead: number
  defaults: Limits
  /** Memory there must be for it; with less it is given up, and loaded again when there is twice as much. */
  neededMb: number
  availableMb(): number
  /** All guests of a zygote share its hash seed and the layout of its memory: after so many, or so long, there is a new one. */
  maxForks?: number
  maxAgeMs?: number
  /** How often memory is looked at, and whether a lost zygote can be loaded again. */
  lookMs?: number
  onFailure(error: unknown): void
}

interface Generation<Sandbox extends Ready> {
  zygote: Zygote
  pool: WarmPool<Sandbox>
  forks: number
  loadedAt: number
}

const usualLookMs = 5_000
const pauses = { firstMs: 1_000, longestMs: 300_000 }

/** A zygote that is loaded, watched and replaced, with some of its guests forked ahead of need. */
export class ZygotePool<Sandbox extends Ready = ReadySandbox> {
  readonly #options: ZygotePoolOptions<Sandbox>
  #current: Generation<Sandbox> | undefined
  #loading: Promise<void> | undefined
  readonly #leaving = new Set<Promise<void>>()
  #timer: NodeJS.Timeout | undefined
  #retryAt = 0
  #failures = 0
  #reason: string | undefined
  #isStarted = false
  #isClosed = false
  #hits = 0
  #misses = 0

  constructor(options: ZygotePoolOptions<Sandbox>) {
    this.#options = options
  }

  get stats(): { ready: number; hits: number; misses: number } {
    const { ready = 0, hits = 0, misses = 0 } = this.#current?.pool.stats ?? {}
    return { ready, hits: this.#hits + hits, misses: this.#misses + misses }
  }

  /** Why there is none, if that is not for the moment only. */
  get reason(): string | undefined {
    return this.#current ? undefined : this.#reason
  }

  get isLoaded(): boolean {
    return this.#current !== undefined
  }

  /** Loads it and has its first guests ready; resolves as well when that fails. */
  async start(): Promise<void> {
    if (this.#isClosed) return
    this.#isStarted = true
    this.#timer ??= setInterval(() => this.#look(), this.#options.lookMs ?? usualLookMs).unref()
    if (!this.#current) this.#load()
    await this.#loading
    await this.#current?.pool.full()
  }

  /** Loads another one, which takes the place of the one there is; resolves as well when that fails. */
  async renew(): Promise<void> {
    await this.#loading
    this.#load()
    await this.start()
  }

  /** Resolves when the first zygote is there, or could not be loaded; at once when none is on its way. */
  async settled(signal: AbortSignal): Promise<void> {
    if (this.#current || !this.#loading) return
    signal.throwIfAborted()
    const isOver = new AbortController()
    const left = once(signal, 'abort', { signal: isOver.signal }).catch(() => undefined)
    await Promise.race([this.#loading, left])
    isOver.abort()
    signal.throwIfAborted()
  }

  /** A guest that waits for its program; undefined when there is no zygote now. */
  take(signal: AbortSignal): Promise<Sandbox> | undefined {
    const generation = this.#current
    if (!generation) return undefined
    this.#replaceWhenWorn(generation)
    return generation.pool.take(signal).catch((error: unknown) => {
      // replaced while somebody waited for its next guest: the new one serves them
      const next = this.#current
      if (signal.aborted || !next || next === generation) throw error
      return next.pool.take(signal)
    })
  }

  /** A guest with limits, or a link, that those forked ahead do not have. */
  fork(limits: Limits, options?: ForkOptions): Promise<Sandbox> | undefined {
    const generation = this.#current
    if (!generation) return undefined
    this.#replaceWhenWorn(generation)
    this.#misses++
    return this.#forkOne(generation, limits, options)
  }

  refill(): void {
    this.#current?.pool.refill()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    await this.#loading
    const { zygote } = this.#current ?? {}
    this.#leave()
    await zygote?.kill()
    await Promise.all(this.#leaving)
  }

  #load(): void {
    if (this.#isClosed || this.#loading || Date.now() < this.#retryAt) return
    if (this.#options.availableMb() < this.#options.neededMb * (this.#isStarted && this.#reason ? 2 : 1)) {
      this.#reason = 'the machine is short of memory'
      return
    }
    this.#loading = this.#options
      .load()
      .then((zygote) => this.#use(zygote))
      .catch((error: unknown) => this.#pause(error))
      .finally(() => (this.#loading = undefined))
  }

  async #use(zygote: Zygote): Promise<void> {
    if (this.#isClosed) return zygote.kill()
    this.#leave()
    this.#reason = undefined
    this.#failures = 0
    const { ahead, defaults, onFailure } = this.#options
    const generation: Generation<Sandbox> = {
      zygote,
      forks: 0,
      loadedAt: Date.now(),
      pool: new WarmPool({ size: ahead, start: () => this.#forkOne(generation, defaults), onFailure }),
    }
    this.#current = generation
    generation.pool.refill()
    void zygote.ended.then(() => {
      if (this.#current !== generation) return
      this.#leave()
      this.#pause(new Error('the zygote died'))
    })
  }

  async #forkOne(generation: Generation<Sandbox>, limits: Limits, options?: ForkOptions): Promise<Sandbox> {
    generation.forks++
    return this.#options.ready(await generation.zygote.fork(limits, options))
  }

  #replaceWhenWorn({ forks, loadedAt }: Generation<Sandbox>): void {
    const { maxForks = 2_000, maxAgeMs = 15 * 60_000 } = this.#options
    if (forks > maxForks || Date.now() - loadedAt > maxAgeMs) this.#load()
  }

  /** Lets go of the zygote there is; it ends when its guests have. */
  #leave(): void {
    const generation = this.#current
    if (!generation) return
    this.#current = undefined
    const { hits, misses } = generation.pool.stats
    this.#hits += hits
    this.#misses += misses
    const leaving = generation.pool.close().then(() => {
      generation.zygote.retire()
      return this.#isClosed ? generation.zygote.kill() : undefined
    })
    this.#leaving.add(leaving)
    void leaving.finally(() => this.#leaving.delete(leaving))
  }

  #look(): void {
    if (!this.#current) return this.#load()
    if (this.#options.availableMb() >= this.#options.neededMb) return
    this.#reason = 'the machine is short of memory'
    this.#leave()
  }

  #pause(error: unknown): void {
    if (this.#isClosed) return
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
    this.#reason = cause instanceof Error ? cause.message : String(cause)
    this.#retryAt = Date.now() + backoff(++this.#failures, pauses)
    this.#options.onFailure(error)
  }
}
