import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../base/index.ts'

interface Waiting<Item> {
  item: Item
  resolve(): void
  reject(error: unknown): void
}

export interface WriteBatchesOptions<Item> {
  /** Writes all of them or none. */
  write(items: Item[]): Promise<void>
  sizeOf(item: Item): number
  log: Log
}

const largestBatch = 200
const largestBytes = 4 * 1024 * 1024
// the disk is one: more at once only make smaller batches
const mostAtOnce = 3
// a write that takes longer than this must not hold up those behind it
const patienceMs = 10
const attempts = 6

/**
 * Gathers writes while the ones before are under way and does them together. A lone write goes out at once; a hundred at the
 * same time, of whatever teams, cost little more than one.
 */
export class WriteBatches<Item> {
  readonly #options: WriteBatchesOptions<Item>
  readonly #waiting: Waiting<Item>[] = []
  #underWay = 0

  constructor(options: WriteBatchesOptions<Item>) {
    this.#options = options
  }

  /** Resolves when the item is written. */
  add(item: Item): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#waiting.push({ item, resolve, reject })
    if (this.#underWay === 0) void this.#drain()
    return promise
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
      for (const one of batch) one.resolve()
    } catch (error) {
      // one that cannot be written must not take the others with it
      if (batch.length > 1 && isRefusal(error)) {
        for (const one of batch) await this.#write([one.item]).then(one.resolve, one.reject)
      } else for (const one of batch) one.reject(error)
    }
  }

  /** Tries again while the database is away: what was accepted must not be lost to a moment without it. */
  async #write(items: Item[]): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#options.write(items)
      } catch (error) {
        if (attempt === attempts || isRefusal(error)) throw error
        this.#options.log.warn({ error }, 'runs could not be written yet')
        await delay(50 * 3 ** attempt)
      }
    }
  }
}

/** The database understood and said no: trying again changes nothing. Classes 22 and 23 are bad data and broken constraints. */
function isRefusal(error: unknown): boolean {
  const { code, cause } = error as { code?: unknown; cause?: unknown }
  if (typeof code === 'string') return /^(22|23|42)/.test(code)
  return cause !== undefined && cause !== error && isRefusal(cause)
}
