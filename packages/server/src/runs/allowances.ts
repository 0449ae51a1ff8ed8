import type { Quotas } from '@coherex/contract'
import { quotasOf } from '../access/index.ts'
import type { Database, EventBus } from '../base/index.ts'
import { storedMb, today, usedToday } from './record/run-store.ts'

/** What a team may use, and how much of it is used. */
export interface Grant {
  quotas: Quotas
  usedSeconds: number
  storedMb: number
}

const freshMs = 2000

/** Reads each team's grant at most every two seconds, and at once after a change of its quotas or of the day. Use is counted on in between. */
export class Allowances {
  readonly #database: Database
  readonly #waitingMb: (teamId: string) => number
  readonly #known = new Map<string, { grant: Promise<Grant>; at: number; day: string }>()
  readonly #unsubscribe: () => void

  /** `waitingMb`: what is still on the disk for a team and counts, though no row names it. */
  constructor(database: Database, events: EventBus, waitingMb: (teamId: string) => number = () => 0) {
    this.#database = database
    this.#waitingMb = waitingMb
    this.#unsubscribe = events.subscribe((event) => {
      if (event.type === 'reconnected') this.#known.clear()
      else if (event.type === 'quota' && event.teamId) this.#known.delete(event.teamId)
    })
  }

  of(teamId: string): Promise<Grant> {
    const known = this.#known.get(teamId)
    const day = today()
    if (known && known.day === day && Date.now() - known.at < freshMs) return known.grant
    const grant = this.#read(teamId)
    this.#known.set(teamId, { grant, at: Date.now(), day })
    grant.catch(() => this.#known.delete(teamId))
    return grant
  }

  async count(teamId: string, used: { seconds: number; bytes: number }): Promise<void> {
    // one that could not be read is told to whoever asked for it, and read anew
    const grant = await this.#known.get(teamId)?.grant.catch(() => undefined)
    if (!grant) return
    grant.usedSeconds += used.seconds
    grant.storedMb += used.bytes / 1024 / 1024
  }

  close(): void {
    this.#unsubscribe()
  }

  #read(teamId: string): Promise<Grant> {
    return this.#database.transaction({ team: teamId, upkeep: true }, async (transaction) => ({
      quotas: await quotasOf(transaction, teamId),
      usedSeconds: await usedToday(transaction, teamId),
      storedMb: (await storedMb(transaction, teamId)) + this.#waitingMb(teamId),
    }))
  }
}
