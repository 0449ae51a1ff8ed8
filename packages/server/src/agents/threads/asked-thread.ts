import type { ThreadRequest } from '@coherex/contract'
import { and, desc, eq, gt, sql } from 'drizzle-orm'
import type { Database, Transaction } from '../../base/index.ts'
import type { ToolContext } from '../turn/tool.ts'
import { turnTable } from '../turns/tables.ts'
import type { StoredTurn } from '../turns/turn-store.ts'
import { threadTable } from './tables.ts'
import { selectThread } from './thread-store.ts'
import { insertThread } from './threads.ts'

/** The thread in which another agent works on what a call asks it, made at the call's first time, and the last turn in it. */
export async function openAskedThread(
  database: Database,
  context: ToolContext,
  agent: string,
): Promise<{ threadId: string; turn: StoredTurn | undefined }> {
  const { caller, turnId, callId, workspaceId } = context
  const { teamId } = caller
  return database.transaction({ team: teamId }, async (transaction) => {
    await context.hold(transaction)
    const found = await findThread(transaction, context)
    if (!found) {
      const request: ThreadRequest = { agent, ...(workspaceId !== null && { workspaceId }) }
      const { privateTo } = await selectThread(transaction, teamId, context.threadId)
      const beginner = { parentTurnId: turnId, parentCallId: callId, privateTo }
      return { threadId: await insertThread(transaction, caller, request, beginner), turn: undefined }
    }
    if (found.parentTurnId !== turnId) {
      await transaction
        .update(threadTable)
        .set({ parentTurnId: turnId })
        .where(and(eq(threadTable.teamId, teamId), eq(threadTable.id, found.id)))
    }
    // people may have gone on in it by themselves
    const [turn] = await transaction
      .select()
      .from(turnTable)
      .where(and(eq(turnTable.teamId, teamId), eq(turnTable.threadId, found.id), gt(turnTable.depth, 0)))
      .orderBy(desc(turnTable.createdAt), desc(turnTable.id))
      .limit(1)
    return { threadId: found.id, turn }
  })
}

/** By the call, also from an earlier turn of the same answer, which this one continues. */
async function findThread(transaction: Transaction, { caller, threadId, turnId, callId }: ToolContext) {
  const { teamId } = caller
  const [row] = await transaction
    .select({ id: threadTable.id, parentTurnId: threadTable.parentTurnId })
    .from(threadTable)
    .innerJoin(turnTable, and(eq(turnTable.teamId, teamId), eq(turnTable.id, threadTable.parentTurnId)))
    .where(
      and(
        eq(threadTable.teamId, teamId),
        eq(threadTable.parentCallId, callId),
        eq(turnTable.threadId, threadId),
        sql`${turnTable.answerId} = (SELECT answer_id FROM coherex.turn AS now WHERE now.team_id = ${teamId} AND now.id = ${turnId})`,
      ),
    )
  return row
}
