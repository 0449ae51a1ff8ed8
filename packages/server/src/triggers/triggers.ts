import {
  CoherexError,
  type Delivery,
  type DeliveryWithPayload,
  type MadeSecret,
  type Page,
  type Trigger,
} from '@coherex/contract'
import { sql } from 'drizzle-orm'
import { actsFor, recordAudit, tellOfThread, type KeyRing, type TeamCaller } from '../access/index.ts'
import { arriveEvents, quietMs, wakeArrived } from '../agents/index.ts'
import { createToken, forEachTeam, type Database, type EventBus } from '../base/index.ts'
import { getAgent, nextFirings, refuseSchedule } from '../registry/index.ts'
import { claimDeliveries } from './claim-deliveries.ts'
import {
  insertDelivery,
  listDeliveries,
  readDelivery,
  selectDelivery,
  type DeliveryFilters,
  type NewDelivery,
} from './delivery-store.ts'
import { fireEvents } from './fire-events.ts'
import { fireSchedules } from './fire-schedules.ts'
import { findHook, receiveHook, type Hook, type HookAnswer, type HookRequest } from './receive-hook.ts'
import { startDelivery, type StartDeps } from './start-delivery.ts'
import type { StoredTrigger } from './tables.ts'
import { nameOf, targetOf, type Target } from './target.ts'
import { makeTriggerSecret } from './trigger-secrets.ts'
import { listTriggers, selectTrigger } from './trigger-store.ts'
import type { Clock } from './trigger.ts'

export interface TriggersDeps extends StartDeps {
  database: Database
  events: EventBus
  keyRing: KeyRing
  turns: StartDeps['turns'] & { due(teamId: string): Promise<void> }
  leaseSeconds: number
  publicUrl: string
  clock?: Clock
}

const previewedFirings = 3
const sweepEveryMs = 5_000
// where servers are to see sooner that another one fell silent, they look more often
const looksPerLease = 3
// one look for all that comes in a burst
const startAfterMs = 20
// turns and runs tell of every step
const lookAgainMs = 250
// more than clocks are corrected by when all is well
const jumpMs = 30_000

/**
 * What starts agents and tools by themselves. Firings are rows: each is written down once, whichever process sees it, and started
 * once, by whichever process takes it.
 */
export class Triggers {
  readonly #deps: TriggersDeps & { clock: Clock }
  readonly #leaving = new AbortController()
  readonly #unsubscribe: () => void
  readonly #timer: NodeJS.Timeout
  readonly #taking = new Map<string, Promise<void>>()
  /** Teams that were asked for while they were looked at. */
  readonly #again = new Set<string>()
  /** Teams that may have more to start than there was room for. */
  readonly #backlog = new Set<string>()
  /** Teams that had something to watch for at the last look. */
  readonly #watching = new Set<string>()
  readonly #laters = new Map<string, NodeJS.Timeout>()
  readonly #looking = new Set<Promise<void>>()
  #sweeping: Promise<void> | undefined
  #lastSweep: number | undefined

  constructor(deps: TriggersDeps) {
    this.#deps = { clock: Date.now, ...deps }
    this.#unsubscribe = deps.events.subscribe(({ type, teamId }) => {
      if (!teamId) return
      // a turn that ended may have made room
      if (type === 'thread' && this.#backlog.delete(teamId)) {
        this.#later(`start ${teamId}`, lookAgainMs, () => this.#takeDue(teamId))
      }
      const afterMs = type === 'version-made' ? quietMs + lookAgainMs : type === 'run' ? lookAgainMs : undefined
      if (afterMs !== undefined && this.#watching.has(teamId)) {
        this.#later(`look ${teamId} ${type}`, afterMs, () => this.#sweepTeam(teamId))
      }
    })
    const everyMs = Math.min(sweepEveryMs, (deps.leaseSeconds * 1000) / looksPerLease)
    this.#timer = setInterval(() => void this.sweep(), everyMs)
    this.#timer.unref()
    void this.sweep()
  }

  list(teamId: string, target: Target): Promise<Trigger[]> {
    return listTriggers(this.#deps, teamId, target)
  }

  /** The next times of a schedule that is not stored yet. */
  previewSchedule(schedule: { schedule: string; timezone?: string | undefined }): string[] {
    const refused = refuseSchedule(schedule)
    if (refused) {
      const message = `The ${refused.field === 'schedule' ? 'schedule' : 'time zone'} ${refused.message}`
      throw new CoherexError('invalid_input', message, { details: [{ field: refused.field, message }] })
    }
    return nextFirings(schedule, new Date(this.#deps.clock()), previewedFirings).map((at) => at.toISOString())
  }

  /** What one agent or tool was sent, or all of them. */
  async listDeliveries(teamId: string, filters: DeliveryFilters): Promise<Page<Delivery>> {
    const { database } = this.#deps
    if (filters.agent !== undefined) await getAgent(database, teamId, filters.agent)
    return listDeliveries(database, teamId, filters)
  }

  readDelivery(teamId: string, id: string): Promise<DeliveryWithPayload> {
    return readDelivery(this.#deps.database, teamId, id)
  }

  async makeSecret(
    caller: TeamCaller,
    request: { target: Target; triggerId: string; value?: string | undefined; keepOldHours: number },
  ): Promise<MadeSecret> {
    const made = await makeTriggerSecret(this.#deps, caller, request)
    // its triggers are shown with it
    const { agentName, toolName } = request.target
    const told =
      agentName === undefined ? { type: 'tool' as const, id: toolName } : { type: 'agent' as const, id: agentName }
    await this.#deps.events.publish({ teamId: caller.teamId, ...told })
    return made
  }

  /** Fires by hand. */
  async test(
    caller: TeamCaller,
    { target, triggerId, payload = '' }: { target: Target; triggerId: string; payload?: string | undefined },
  ): Promise<Delivery> {
    const { teamId } = caller
    const trigger = await this.#deps.database.transaction({ team: teamId }, (transaction) =>
      selectTrigger(transaction, { teamId, target, id: triggerId }),
    )
    const contentType = /^\s*[[{]/.test(payload) ? 'application/json' : 'text/plain'
    const key = `test ${createToken()}`
    return this.#fireByHand(caller, trigger, { kind: 'test', key, contentType, body: Buffer.from(payload) })
  }

  /** Starts the agent or tool once more with what a delivery held. */
  async redeliver(caller: TeamCaller, deliveryId: string): Promise<Delivery> {
    const { teamId } = caller
    const { before, trigger } = await this.#deps.database.transaction({ team: teamId }, async (transaction) => {
      const row = await selectDelivery(transaction, teamId, deliveryId)
      const target = targetOf(row)
      return { before: row, trigger: await selectTrigger(transaction, { teamId, target, id: row.triggerId }) }
    })
    const { body, contentType } = before
    if (!body) throw new CoherexError('conflict', 'What was sent is no longer kept')
    const key = `redelivery ${createToken()}`
    return this.#fireByHand(caller, trigger, { kind: 'redelivery', key, contentType, body, redeliveryOf: before.id })
  }

  findHook(hook: string): Promise<Hook | undefined> {
    return findHook(this.#deps, hook)
  }

  /** Takes a request to an address that `findHook` found. */
  async receive(hook: Hook, request: HookRequest): Promise<HookAnswer> {
    const answer = await receiveHook(this.#deps, hook, request)
    const { teamId } = hook.kind === 'wake' ? hook.wake : hook.trigger
    if ('isNew' in answer && answer.isNew) {
      if (hook.kind === 'wake') await this.#wake(teamId)
      else this.#due(teamId)
    }
    return answer
  }

  /** Does what the clock and events bring, in every team. */
  sweep(): Promise<void> {
    if (this.#leaving.signal.aborted) return Promise.resolve()
    const { database, clock, log } = this.#deps
    // read once: what is fired by another time than the next look compares with could be silent for long
    const now = clock()
    // after a start, and when the clock went back: what was planned may be far ahead
    const looksBack = this.#lastSweep === undefined || now < this.#lastSweep - jumpMs
    this.#sweeping ??= forEachTeam(database, (teamId) =>
      // what goes wrong in one team is no matter of the others
      this.#sweepTeam(teamId, { now: new Date(now), looksBack }).catch((error: unknown) =>
        log.warn({ error, teamId }, 'triggers of a team could not be looked at'),
      ),
    )
      .then(() => void (this.#lastSweep = now))
      .catch((error: unknown) => log.warn({ error }, 'triggers could not be looked at'))
      .finally(() => (this.#sweeping = undefined))
    return this.#sweeping
  }

  async close(): Promise<void> {
    this.#leaving.abort()
    this.#unsubscribe()
    clearInterval(this.#timer)
    for (const timer of this.#laters.values()) clearTimeout(timer)
    await this.#sweeping
    await Promise.all(this.#looking)
    await Promise.all(this.#taking.values())
  }

  /** Schedules are the clock's, and wait for its next look. */
  async #sweepTeam(teamId: string, schedules?: { now: Date; looksBack: boolean }): Promise<void> {
    if (this.#leaving.signal.aborted) return
    const { database } = this.#deps
    const has = await this.#lookFor(teamId)
    if (has.event || has.wake) this.#watching.add(teamId)
    else this.#watching.delete(teamId)
    if (has.schedule && schedules) await fireSchedules(database, teamId, schedules)
    if (has.event) await fireEvents(database, teamId)
    if (has.wake) await arriveEvents(database, teamId)
    if (has.wake || has.arrived) await this.#wake(teamId)
    if (has.schedule || has.event || has.delivery) await this.#takeDue(teamId)
  }

  /** Does something in a while, once for all who ask meanwhile. */
  #later(name: string, afterMs: number, work: () => Promise<void>): void {
    if (this.#laters.has(name)) return
    const timer = setTimeout(() => {
      this.#laters.delete(name)
      if (this.#leaving.signal.aborted) return
      const looking = work()
        .catch((error: unknown) => this.#deps.log.warn({ error }, 'triggers could not be looked at'))
        .finally(() => this.#looking.delete(looking))
      this.#looking.add(looking)
    }, afterMs)
    this.#laters.set(name, timer)
  }

  async #fireByHand(
    caller: TeamCaller,
    trigger: StoredTrigger,
    firing: NewDelivery & { kind: 'test' | 'redelivery' },
  ): Promise<Delivery> {
    const { teamId, ...firedBy } = actsFor(caller)
    const { id } = await this.#deps.database.transaction({ team: teamId }, async (transaction) => {
      const { delivery } = await insertDelivery(transaction, trigger, { ...firing, firedBy })
      await recordAudit(transaction, {
        teamId,
        actor: caller,
        action: `trigger.${firing.kind}`,
        target: { kind: 'trigger', id: trigger.id, name: `${nameOf(trigger)} ${trigger.name}` },
      })
      return delivery
    })
    this.#due(teamId)
    const { payload: _payload, answer: _answer, ...delivery } = await readDelivery(this.#deps.database, teamId, id)
    return delivery
  }

  async #lookFor(teamId: string) {
    // rows of turns that have ended stay for as long as those do
    const sleeping = sql`FROM coherex.turn JOIN coherex.wake ON wake.team_id = turn.team_id AND wake.turn_id = turn.id
      WHERE turn.team_id = ${teamId} AND turn.ended_at IS NULL`
    const { rows } = await this.#deps.database.transaction({ team: teamId, upkeep: true }, (transaction) =>
      transaction.execute<Record<'schedule' | 'event' | 'delivery' | 'wake' | 'arrived', boolean>>(sql`
        SELECT
          EXISTS (SELECT 1 FROM coherex.trigger WHERE team_id = ${teamId} AND kind = 'schedule') AS schedule,
          EXISTS (SELECT 1 FROM coherex.trigger WHERE team_id = ${teamId} AND kind = 'event') AS event,
          EXISTS (SELECT 1 FROM coherex.delivery WHERE team_id = ${teamId} AND status = 'pending') AS delivery,
          EXISTS (SELECT 1 ${sleeping} AND kind <> 'webhook' AND arrived_at IS NULL) AS wake,
          EXISTS (SELECT 1 ${sleeping} AND arrived_at IS NOT NULL) AS arrived`),
    )
    return rows[0] ?? { schedule: false, event: false, delivery: false, wake: false, arrived: false }
  }

  async #wake(teamId: string): Promise<void> {
    const { database, events, turns } = this.#deps
    const threads = await wakeArrived(database, teamId)
    if (threads.length === 0) return
    for (const id of threads) await tellOfThread({ database, events }, id, { teamId, type: 'thread', id })
    await turns.due(teamId)
  }

  /** Starts what has come, all of a burst at once. Others find it at their next look, should this process be gone by then. */
  #due(teamId: string): void {
    this.#later(`start ${teamId}`, startAfterMs, () => this.#takeDue(teamId))
  }

  /** Starts what is due for as long as there is room. One look at a time in this process, and one more after it. */
  #takeDue(teamId: string): Promise<void> {
    const under = this.#taking.get(teamId)
    if (under) {
      this.#again.add(teamId)
      return under
    }
    const taking = this.#take(teamId).finally(() => this.#taking.delete(teamId))
    this.#taking.set(teamId, taking)
    return taking
  }

  async #take(teamId: string): Promise<void> {
    const { database, events, log } = this.#deps
    try {
      for (;;) {
        if (this.#leaving.signal.aborted) return
        this.#again.delete(teamId)
        const { claimed, hasMore } = await claimDeliveries(database, teamId)
        for (const delivery of claimed) {
          await startDelivery(this.#deps, delivery)
          await events.publish({ teamId, type: 'delivery', id: delivery.id })
        }
        if (claimed.length > 0 || this.#again.has(teamId)) continue
        if (hasMore) this.#backlog.add(teamId)
        return
      }
    } catch (error) {
      log.warn({ error }, 'deliveries could not be started')
    }
  }
}
