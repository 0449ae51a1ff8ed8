import { and, eq, sql } from 'drizzle-orm'
import { findOccurrences, seenNow } from '../agents/index.ts'
import type { Database, Transaction } from '../base/index.ts'
import { insertDelivery, jsonBody } from './delivery-store.ts'
import { guardLoop, holdMinutes } from './loop-guard.ts'
import { triggerTable, type StoredTrigger } from './tables.ts'
import { isAwake } from './target.ts'

/**
 * Fires what events of the product set off. Events are read from the rows that they left, from where the last look
 * ended: none is lost while no server runs, and none counts twice.
 */
export async function fireEvents(database: Database, teamId: string): Promise<number> {
  return database.transaction({ team: teamId, upkeep: true }, async (transaction) => {
    const rows = await transaction
      .select()
      .from(triggerTable)
      .where(
        and(
          eq(triggerTable.teamId, teamId),
          eq(triggerTable.kind, 'event'),
          sql`(held_until IS NULL OR held_until <= now())`,
          isAwake(teamId),
        ),
      )
      .for('update', { skipLocked: true })
    let fired = 0
    for (const row of rows) fired += await look(transaction, row)
    return fired
  })
}

async function look(transaction: Transaction, trigger: StoredTrigger): Promise<number> {
  const { teamId, id, agentName, toolName, definition, heldUntil } = trigger
  if (!('event' in definition)) return 0
  const update = (changes: Partial<StoredTrigger>) =>
    transaction
      .update(triggerTable)
      .set(changes)
      .where(and(eq(triggerTable.teamId, teamId), eq(triggerTable.id, id)))
  if (heldUntil) {
    // what came while it rested is past
    await update({ heldUntil: null, seen: await seenNow(transaction, teamId, definition) })
    return 0
  }
  const { occurrences, seen } = await findOccurrences(transaction, teamId, {
    watched: definition,
    seen: trigger.seen,
    ...(agentName !== null && { ownAgent: agentName }),
    ...(toolName !== null && { ownTool: toolName }),
  })
  let fired = 0
  for (const { key, payload, causes } of occurrences) {
    const { depth, refusal, isHeld } = await guardLoop(transaction, trigger, causes)
    const { isNew } = await insertDelivery(transaction, trigger, {
      kind: 'event',
      key,
      depth,
      refusal,
      ...jsonBody(payload),
    })
    if (isNew && refusal === undefined) fired++
    if (!isHeld) continue
    await transaction.execute(sql`
      UPDATE coherex.trigger SET held_until = now() + make_interval(mins => ${holdMinutes})
      WHERE team_id = ${teamId} AND id = ${id}`)
    break
  }
  if (JSON.stringify(seen) !== JSON.stringify(trigger.seen)) await update({ seen })
  return fired
}
