import { setTimeout as delay } from 'node:timers/promises'
import type { Log } from '../base/index.ts'

interface Waiting<Item> {
  item: Item
  resolve(): void
  reject(error: unknown): void
}

const largestBatch = 100
const attempts = 6

/**
 * Gathers writes of a team while the one before is under way and does them together. A lone write goes out at once; a
 * hundred at the same time cost little more than one.
 */
export class TeamBatches<Item> {
  readonly #flush: (teamId: string, items: Item[]) => Promise<void>
  readonly #log: Log
  readonly #waiting = new Map<string, Waiting<Item>[]>()

  constructor(flush: (teamId: string, items: Item[]) => Promise<void>, log: Log) {
    this.#flush = flush
    this.#log = log
  }

  /** Resolves when the item is written. */
  add(teamId: string, item: Item): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const line = this.#waiting.get(teamId)
    if (line) line.push({ item, resolve, reject })
    else {
      this.#waiting.set(teamId, [{ item, resolve, reject }])
      void this.#drain(teamId)
    }
    return promise
  }

  async #drain(teamId: string): Promise<void> {
    const line = this.#waiting.get(teamId) ?? []
    while (line.length > 0) {
      const batch = line.splice(0, largestBatch)
      try {
        await this.#write(
          teamId,
          batch.map((one) => one.item),
        )
        for (const one of batch) one.resolve()
      } catch (error) {
        if (batch.length === 1) batch[0]?.reject(error)
        // one that cannot be written must not take the others with it
        else for (const one of batch) await this.#write(teamId, [one.item]).then(one.resolve, one.reject)
      }
    }
    this.#waiting.delete(teamId)
  }

  /** Tries again while the database is away: what was accepted must not be lost to a moment without it. */
  async #write(teamId: string, items: Item[]): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#flush(teamId, items)
      } catch (error) {
        if (attempt === attempts || isRefusal(error)) throw error
        this.#log.warn({ error }, 'runs could not be written yet')
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
