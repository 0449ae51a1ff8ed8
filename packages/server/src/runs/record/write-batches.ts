import { backoff, pause } from '@coherex/contract'
import type { Log } from '../../base/index.ts'

interface Waiting<Item> {
  item: Item
  resolve(): void
  reject(error: unknown): void
}

export interface WriteBatchesOptions<Item> {
  /** Writes all of them or none. */
  write(items: Item[]): Promise<void>
  sizeOf(item: Item): number
  /** What is kept until it is written, however long the database is away. Left out, everything is given up after a while. */
  isLasting?(item: Item): boolean
  log: Log
}

const largestBatch = 200
const largestBytes = 4 * 1024 * 1024
// the disk is one: more at once only make smaller batches
const mostAtOnce = 3
// a write that takes longer than this must not hold up those behind it
const patienceMs = 10
// about 18 seconds in all
const attempts = 8
const waits = { firstMs: 150, longestMs: 4000, factor: 3 }

/**
 * Gathers writes while the ones before are under way and does them together. A lone write goes out at once; a hundred at the
 * same time, of whatever teams, cost little more than one.
 */
export class WriteBatches<Item> {
  readonly #options: WriteBatchesOptions<Item>
  readonly #waiting: Waiting<Item>[] = []
  /** Those that would have been given up, were they not lasting. */
  readonly #late = new Set<Waiting<Item>>()
  readonly #closed = new AbortController()
  #underWay = 0

  constructor(options: WriteBatchesOptions<Item>) {
    this.#options = options
  }

  /** Whether the database has been away for long, and something waits for it that lasts. */
  get isBehind(): boolean {
    return this.#late.size > 0
  }

  /** Resolves when the item is written. */
  add(item: Item): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#waiting.push({ item, resolve, reject })
    if (this.#underWay === 0) void this.#drain()
    return promise
  }

  /** What is not written by now is tried once more, and given up if the database is still away. */
  close(): void {
    this.#closed.abort()
  }

  async #drain(): Promise<void> {
    this.#underWay++
    while (this.#waiting.length > 0) {
      const impatience = setTimeout(() => {
        if (this.#waiting.length > 0 && this.#underWay < mostAtOnce) void this.#drain()
      }, patienceMs)
      await this.#settle(this.#take())
      clearTimeout(impatience)
    }
    this.#underWay--
  }

  #take(): Waiting<Item>[] {
    let bytes = 0
    let count = 0
    for (const { item } of this.#waiting) {
      bytes += this.#options.sizeOf(item)
      if (count > 0 && (count === largestBatch || bytes > largestBytes)) break
      count++
    }
    return this.#waiting.splice(0, count)
  }

  async #settle(batch: Waiting<Item>[]): Promise<void> {
    try {
      await this.#write(batch.map((one) => one.item))
      for (const one of batch) {
        this.#late.delete(one)
        one.resolve()
      }
    } catch (error) {
      // one that cannot be written must not take the others with it
      if (batch.length > 1 && isRefusal(error)) for (const one of batch) await this.#settle([one])
      else for (const one of batch) this.#giveUp(one, error)
    }
  }

  /** One that lasts waits again instead, with those that have come meanwhile. */
  #giveUp(one: Waiting<Item>, error: unknown): void {
    const isKept = !this.#closed.signal.aborted && isAway(error) && this.#options.isLasting?.(one.item)
    if (isKept) {
      this.#late.add(one)
      this.#waiting.push(one)
    } else {
      this.#late.delete(one)
      one.reject(error)
    }
  }

  /** Tries again while the database is away: what was accepted must not be lost to a moment without it. */
  async #write(items: Item[]): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#options.write(items)
      } catch (error) {
        if (attempt === attempts || isRefusal(error) || this.#closed.signal.aborted) throw error
        this.#options.log.warn({ error }, 'runs could not be written yet')
        await pause(backoff(attempt, waits), this.#closed.signal)
      }
    }
  }
}

/** The database understood and said no: trying again changes nothing. Classes 22 and 23 are bad data and broken constraints. */
function isRefusal(error: unknown): boolean {
  const { code } = innermost(error)
  return typeof code === 'string' && /^(22|23|42)/.test(code)
}

/**
 * Nothing was wrong with what was to be written. Classes 08, 53 and 58 are a lost connection, a full disk and the like, 57P a
 * database that stops or starts, 25006 one that is read-only; codes of the system begin with E. A connection that ended has no code, and
 * neither has a mistake of ours, which would be tried for ever.
 */
export function isAway(error: unknown): boolean {
  const { code, message } = innermost(error)
  return typeof code === 'string' ? /^(08|25006|53|57P|58|E)/.test(code) : /connect|terminated|queryable/i.test(message)
}

/** Where the error came from, without what was said about it on the way. */
function innermost(error: unknown): { code?: unknown; message: string } {
  const { code, cause, message = '' } = error as { code?: unknown; cause?: unknown; message?: string }
  if (typeof code === 'string' || cause === undefined || cause === error) return { code, message }
  return innermost(cause)
}
