import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Database, Transaction } from '../base/index.ts'
import { deliveryTable, type StoredDelivery } from './tables.ts'

// turns that triggers began and that are under way, in a team and of one trigger: people must still get theirs, and a
// trigger that is flooded must not keep the others waiting
const mostUnderWay = 100
const mostOfTrigger = 25
const atOnce = 10
const leaseSeconds = 30
export const mostFailures = 3

/**
 * Takes deliveries whose time has come for this process: those of triggers with the fewest under way first, then the
 * oldest. What another process holds is left to it.
 */
export async function claimDeliveries(
  database: Database,
  teamId: string,
): Promise<{ claimed: StoredDelivery[]; hasMore: boolean }> {
  return database.transaction({ team: teamId, upkeep: true }, async (transaction) => {
    await giveUpLost(transaction, teamId)
    const isDue = sql`delivery.team_id = ${teamId} AND delivery.status = 'pending' AND delivery.not_before <= now()
      AND (delivery.lease_until IS NULL OR delivery.lease_until < now())`
    const { rows } = await transaction.execute<{ id: string; due: number }>(sql`
      WITH under_way AS (
        SELECT delivery.trigger_id, count(*) AS count FROM coherex.turn
        JOIN coherex.delivery ON delivery.team_id = turn.team_id AND delivery.thread_id = turn.thread_id
        WHERE turn.team_id = ${teamId} AND turn.ended_at IS NULL AND turn.status IN ('queued', 'running')
          AND delivery.status = 'started'
        GROUP BY delivery.trigger_id
      ), ranked AS (
        SELECT delivery.id, count(*) OVER ()::int AS due, coalesce(under_way.count, 0) +
          row_number() OVER (PARTITION BY delivery.trigger_id ORDER BY delivery.not_before, delivery.id) AS place
        FROM coherex.delivery LEFT JOIN under_way USING (trigger_id) WHERE ${isDue}
      )
      SELECT delivery.id, due FROM coherex.delivery JOIN ranked USING (id)
      WHERE ${isDue} AND place <= ${mostOfTrigger}
      ORDER BY place, delivery.not_before
      LIMIT least(${atOnce}, greatest(0, ${mostUnderWay} - (SELECT coalesce(sum(count), 0) FROM under_way)))
      FOR UPDATE OF delivery SKIP LOCKED`)
    const ids = rows.map(({ id }) => id)
    if (ids.length === 0) return { claimed: [], hasMore: true }
    const claimed = await transaction
      .update(deliveryTable)
      .set({ leaseUntil: sql`now() + make_interval(secs => ${leaseSeconds})`, tries: sql`tries + 1` })
      .where(and(eq(deliveryTable.teamId, teamId), inArray(deliveryTable.id, ids)))
      .returning()
    const hasMore = (rows[0]?.due ?? 0) > ids.length
    return { claimed: claimed.toSorted((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id)), hasMore }
  })
}

/** Servers that took these ended before they were started, again and again: others go on without them. */
async function giveUpLost(transaction: Transaction, teamId: string): Promise<void> {
  await transaction.execute(sql`
    UPDATE coherex.delivery SET status = 'failed', lease_until = NULL,
      reason = 'The server stopped ' || tries || ' times while it began this'
    WHERE team_id = ${teamId} AND status = 'pending' AND lease_until < now() AND tries >= ${mostFailures}`)
}
