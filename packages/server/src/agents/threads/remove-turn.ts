import { CoherexError } from '@coherex/contract'
import { and, eq, sql } from 'drizzle-orm'
import { recordAudit, type TeamCaller } from '../../access/index.ts'
import type { Database } from '../../base/index.ts'
import { turnTable } from '../turns/tables.ts'
import { selectOpenTurn, selectTurn } from '../turns/turn-store.ts'
import { threadTable } from './tables.ts'
import { selectThread } from './thread-store.ts'

/** Deletes an answer that nobody went on from, with what it alone answers. Says where one is the whole of its thread, and leaves that. */
export async function removeTurn(
  database: Database,
  caller: TeamCaller,
  turnId: string,
): Promise<{ threadId: string; isWhole: boolean }> {
  const { teamId } = caller
  return database.transaction({ team: teamId }, async (transaction) => {
    const { threadId, answerId, agentName } = await selectTurn(transaction, teamId, turnId)
    const { headId } = await selectThread(transaction, teamId, threadId)
    if (await selectOpenTurn(transaction, teamId, threadId)) {
      throw new CoherexError('conflict', 'The agent is still at work in this thread: wait, or stop it')
    }
    const { rows: found } = await transaction.execute<{ others: number; later: number }>(sql`
      SELECT
        (SELECT count(*) FROM coherex.turn
          WHERE team_id = ${teamId} AND thread_id = ${threadId} AND answer_id <> ${answerId}) AS others,
        (SELECT count(*) FROM coherex.message
          WHERE team_id = ${teamId} AND thread_id = ${threadId} AND parent_id = ${answerId}) AS later`)
    const [{ others, later } = { others: 0, later: 0 }] = found
    if (Number(later) > 0) {
      throw new CoherexError('conflict', 'The conversation went on from this answer: delete the later answers first')
    }
    if (Number(others) === 0) return { threadId, isWhole: true }

    // up to the answer it goes on from, or to where another branch begins
    const { rows } = await transaction.execute<{ id: string; parent_id: string | null }>(sql`
      WITH RECURSIVE gone AS (
        SELECT id, parent_id FROM coherex.message WHERE team_id = ${teamId} AND id = ${answerId}
        UNION ALL
        SELECT asked.id, asked.parent_id FROM coherex.message asked JOIN gone ON asked.id = gone.parent_id
        WHERE asked.team_id = ${teamId} AND asked.turn_id IS NULL AND NOT EXISTS (
          SELECT FROM coherex.message other
          WHERE other.team_id = ${teamId} AND other.thread_id = ${threadId} AND other.parent_id = asked.id AND other.id <> gone.id)
      ), removed AS (DELETE FROM coherex.message WHERE team_id = ${teamId} AND id IN (SELECT id FROM gone))
      SELECT id, parent_id FROM gone`)
    const ids = new Set(rows.map(({ id }) => id))
    if (headId !== null && ids.has(headId)) {
      const left = rows.find(({ parent_id }) => parent_id === null || !ids.has(parent_id))?.parent_id ?? null
      await transaction
        .update(threadTable)
        .set({ headId: left })
        .where(and(eq(threadTable.teamId, teamId), eq(threadTable.id, threadId)))
    }
    await transaction.delete(turnTable).where(and(eq(turnTable.teamId, teamId), eq(turnTable.answerId, answerId)))
    const target = { kind: 'turn', id: turnId, name: agentName } as const
    await recordAudit(transaction, { teamId, actor: caller, action: 'turn.delete', target })
    return { threadId, isWhole: false }
  })
}
