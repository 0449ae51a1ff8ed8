import { and, eq, sql } from 'drizzle-orm'
import type { Database, Transaction } from '../base/index.ts'
import { nextFirings } from '../registry/index.ts'
import { insertDelivery, jsonBody } from './delivery-store.ts'
import { triggerTable, type StoredTrigger } from './tables.ts'
import { isAwake } from './target.ts'

/**
 * Fires the schedules of a team whose time has come: once, however many times were missed. A time is part of the
 * delivery's key, so that it fires once whatever clocks and other processes do.
 */
export async function fireSchedules(
  database: Database,
  teamId: string,
  { now, looksBack }: { now: Date; looksBack: boolean },
): Promise<number> {
  return database.transaction({ team: teamId, upkeep: true }, async (transaction) => {
    const due = looksBack ? sql`true` : sql`next_at <= ${now.toISOString()}::timestamptz`
    const rows = await transaction
      .select()
      .from(triggerTable)
      .where(and(eq(triggerTable.teamId, teamId), eq(triggerTable.kind, 'schedule'), due, isAwake(teamId)))
      .for('update', { skipLocked: true })
    let fired = 0
    for (const row of rows) fired += await fire(transaction, row, now)
    return fired
  })
}

async function fire(transaction: Transaction, trigger: StoredTrigger, now: Date): Promise<number> {
  const { teamId, id, definition, nextAt } = trigger
  if (!('schedule' in definition) || !nextAt) return 0
  const isDue = nextAt <= now
  const next = nextOf(definition, now)
  // a clock that was far ahead left a time that will not come for long
  if (!isDue && (!next || next >= nextAt)) return 0
  await transaction
    .update(triggerTable)
    .set({ nextAt: next })
    .where(and(eq(triggerTable.teamId, teamId), eq(triggerTable.id, id)))
  if (!isDue) return 0
  const scheduledFor = nextAt.toISOString()
  const { isNew } = await insertDelivery(transaction, trigger, {
    kind: 'schedule',
    key: `time ${scheduledFor}`,
    ...jsonBody({ schedule: definition.schedule, timezone: definition.timezone ?? 'UTC', scheduledFor, firedAt: now }),
  })
  return isNew ? 1 : 0
}

/** Null when it never comes again: zones change, and a definition may be older than what reads it. */
function nextOf(definition: { schedule: string; timezone?: string | undefined }, now: Date): Date | null {
  try {
    return nextFirings(definition, now)[0] ?? null
  } catch {
    return null
  }
}
