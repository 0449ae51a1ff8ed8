import { backoff, CoherexError } from '@coherex/contract'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { TeamCaller } from '../access/index.ts'
import { insertThread, type Turns } from '../agents/index.ts'
import { type Database, type Transaction } from '../base/index.ts'
import type { Workspaces } from '../workspaces/index.ts'
import { actFor } from './act-for.ts'
import { callTool, type CallDeps } from './call-tool.ts'
import { mostFailures } from './claim-deliveries.ts'
import { deliveryPart, describeDelivery } from './delivery-part.ts'
import { deliveryTable, triggerTable, type StoredDelivery, type StoredTrigger } from './tables.ts'
import { nameOf, restingOf, targetOf } from './target.ts'

export interface StartDeps extends CallDeps {
  database: Database
  turns: Pick<Turns, 'say'>
  workspaces: Pick<Workspaces, 'get'>
}

// about four hours in all
const mostWaits = 8
const waits = { firstMs: 5_000, longestMs: 3_600_000, factor: 4 }

/**
 * Begins the turn or the call of a delivery that this process holds. The delivery is marked in the transaction that writes the
 * turn down: a crash leaves both or neither. A call is marked when its run is recorded and before any of its code runs: after a
 * crash it does not run twice. Never throws: what goes wrong is the delivery's reason.
 */
export async function startDelivery(deps: StartDeps, delivery: StoredDelivery): Promise<void> {
  const { database, log, turns } = deps
  try {
    const ready = await prepare(database, delivery)
    if ('refusal' in ready) return await settle(database, delivery, { status: 'refused', reason: ready.refusal })
    const { trigger, caller } = ready
    if (trigger.toolName !== null) {
      const begun = (runId: string) =>
        database.transaction({ team: delivery.teamId, upkeep: true }, (transaction) =>
          markStarted(transaction, delivery, { runId }),
        )
      return await callTool(deps, { delivery, trigger, caller, begun })
    }
    const threadId = await openThread(deps, delivery, trigger, caller)
    await turns.say({
      caller,
      threadId,
      text: describeDelivery(delivery, trigger),
      startedBy: { kind: trigger.kind, id: trigger.id, name: trigger.name },
      opening: {
        author: { authorId: `trigger:${trigger.id}`, authorName: `trigger ${trigger.name}` },
        parts: [deliveryPart(delivery)],
        begun: (transaction) => markStarted(transaction, delivery),
      },
    })
  } catch (error) {
    if (error instanceof DeliveryTaken) return
    await settle(database, delivery, outcomeOf(delivery, error)).catch((cause: unknown) =>
      // its lease runs out, and it is tried again
      log.warn({ error: cause, deliveryId: delivery.id }, 'what became of a delivery could not be written down'),
    )
    if (!(error instanceof CoherexError))
      log.error({ error, deliveryId: delivery.id }, 'a delivery could not be started')
  }
}

/** Another process has started it. */
class DeliveryTaken extends Error {
  override readonly name = 'DeliveryTaken'
}

async function prepare(
  database: Database,
  { teamId, triggerId, firedBy }: StoredDelivery,
): Promise<{ trigger: StoredTrigger; caller: TeamCaller } | { refusal: string }> {
  const [trigger] = await database.transaction({ team: teamId, upkeep: true }, (transaction) =>
    transaction
      .select()
      .from(triggerTable)
      .where(and(eq(triggerTable.teamId, teamId), eq(triggerTable.id, triggerId))),
  )
  if (!trigger) return { refusal: 'The trigger is no longer part of what it started' }
  const refusal = await restingOf(database, teamId, targetOf(trigger))
  if (refusal !== undefined) return { refusal }
  const acting = await actFor(database, trigger, firedBy)
  return 'refusal' in acting ? acting : { trigger, caller: acting.caller }
}

/** The thread of a delivery: one that an earlier try left is used again. */
async function openThread(
  { database, workspaces }: StartDeps,
  delivery: StoredDelivery,
  trigger: StoredTrigger,
  caller: TeamCaller,
): Promise<string> {
  if (delivery.threadId) return delivery.threadId
  const { teamId } = delivery
  const { definition, name } = trigger
  const agentName = nameOf(trigger)
  const workspaceId = definition.workspace ?? workspaceIn(delivery, trigger)
  if (workspaceId !== undefined) await workspaces.get(teamId, workspaceId)
  return database.transaction({ team: teamId }, async (transaction) => {
    const request = {
      agent: agentName,
      title: `${agentName}: ${name}`,
      ...(workspaceId !== undefined && { workspaceId }),
    }
    const threadId = await insertThread(transaction, caller, request, { trigger: true })
    const [row] = await transaction
      .update(deliveryTable)
      .set({ threadId })
      .where(and(isHeld(delivery), isNull(deliveryTable.threadId)))
      .returning({ id: deliveryTable.id })
    if (!row) throw new DeliveryTaken()
    return threadId
  })
}

/** An event says where it happened, also when it is sent once more; a payload from outside says nothing that counts. */
function workspaceIn({ kind, body }: StoredDelivery, { definition }: StoredTrigger): string | undefined {
  if (!('event' in definition) || kind === 'test' || !body) return undefined
  try {
    const { workspaceId } = JSON.parse(body.toString()) as { workspaceId?: unknown }
    return typeof workspaceId === 'string' ? workspaceId : undefined
  } catch {
    // a test that is sent once more holds whatever someone typed
    return undefined
  }
}

async function markStarted(
  transaction: Transaction,
  delivery: StoredDelivery,
  { runId = null }: { runId?: string | null } = {},
): Promise<void> {
  const marked = await transaction
    .update(deliveryTable)
    .set({ status: 'started', startedAt: sql`now()`, leaseUntil: null, reason: null, runId })
    .where(isHeld(delivery))
    .returning({ id: deliveryTable.id })
  if (marked.length === 0) throw new DeliveryTaken()
}

interface Settled {
  status: 'pending' | 'failed' | 'refused'
  reason: string
  waitMs?: number
}

function outcomeOf({ tries }: StoredDelivery, error: unknown): Settled {
  const isKnown = error instanceof CoherexError
  const reason = isKnown ? error.message : 'Something went wrong on the server'
  const mayPass = !isKnown || error.code === 'unavailable' || error.code === 'quota_exceeded'
  const most = isKnown ? mostWaits : mostFailures
  if (!mayPass || tries >= most) return { status: 'failed', reason }
  return { status: 'pending', reason, waitMs: backoff(tries, waits) }
}

async function settle(
  database: Database,
  delivery: StoredDelivery,
  { status, reason, waitMs = 0 }: Settled,
): Promise<void> {
  await database.transaction({ team: delivery.teamId, upkeep: true }, (transaction) =>
    transaction
      .update(deliveryTable)
      .set({ status, reason, leaseUntil: null, notBefore: sql`now() + make_interval(secs => ${waitMs / 1000})` })
      .where(isHeld(delivery)),
  )
}

/** Still as it was claimed: one that was taken again since is another's. */
function isHeld({ teamId, id, tries }: StoredDelivery) {
  return and(
    eq(deliveryTable.teamId, teamId),
    eq(deliveryTable.id, id),
    eq(deliveryTable.status, 'pending'),
    eq(deliveryTable.tries, tries),
  )
}
