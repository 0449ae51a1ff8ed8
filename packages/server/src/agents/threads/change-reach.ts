import { CoherexError, type ThreadReach } from '@coherex/contract'
import { sql } from 'drizzle-orm'
import { recordAudit, type TeamCaller } from '../../access/index.ts'
import type { Transaction } from '../../base/index.ts'
import type { StoredThread } from './thread-store.ts'

/** Shares a thread with the team, or makes it its author's alone, with the threads that its agents began. */
export async function changeReach(
  transaction: Transaction,
  caller: TeamCaller,
  { teamId, id, personId, origin, parentTurnId }: StoredThread,
  reach: ThreadReach,
): Promise<void> {
  if (personId !== caller.person.id) {
    throw new CoherexError('forbidden', 'Only the author of a conversation decides who sees it')
  }
  if (parentTurnId !== null) {
    throw new CoherexError('conflict', 'An agent began this conversation: it has the reach of the one it was asked in')
  }
  if (origin === 'trigger') {
    throw new CoherexError('conflict', 'A trigger began this conversation: it stays with the team')
  }
  const { rows } = await transaction.execute<{ ids: string[]; is_working: boolean }>(sql`
    WITH RECURSIVE own (id) AS (
      SELECT ${id}::text
      UNION
      SELECT thread.id FROM own
      JOIN coherex.turn ON turn.team_id = ${teamId} AND turn.thread_id = own.id
      JOIN coherex.thread ON thread.team_id = ${teamId} AND thread.parent_turn_id = turn.id
    )
    SELECT array_agg(own.id) AS ids, bool_or(EXISTS (
      SELECT FROM coherex.turn WHERE turn.team_id = ${teamId} AND turn.thread_id = own.id AND turn.ended_at IS NULL
    )) AS is_working FROM own`)
  // whoever it works for, or watches it, would lose sight of it in the middle
  if (reach === 'private' && rows[0]?.is_working) {
    throw new CoherexError('conflict', 'The agent is still at work in this conversation: wait, or stop it')
  }
  await transaction.execute(sql`
    UPDATE coherex.thread SET private_to = ${reach === 'private' ? personId : null}
    WHERE team_id = ${teamId} AND id = ANY(${sql.param(rows[0]?.ids ?? [id])})`)
  const action = reach === 'private' ? 'thread.make-private' : 'thread.share'
  await recordAudit(transaction, { teamId, actor: caller, action, target: { kind: 'thread', id } })
}
