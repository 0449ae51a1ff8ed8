import { CoherexError, type QueuedMessage } from '@coherex/contract'
import type { UIMessage } from 'ai'
import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import { actsFor, type TeamCaller } from '../../access/index.ts'
import { createId, storable, type Database, type Transaction } from '../../base/index.ts'
import { readFilePart } from '../turn/attached-file.ts'
import { queuedMessageTable } from './tables.ts'

export type StoredQueued = typeof queuedMessageTable.$inferSelect

// more than a person says while they wait; it keeps a program in a loop from filling the disk
const mostQueued = 20

export interface MessageToQueue {
  caller: TeamCaller
  threadId: string
  parts: UIMessage['parts']
  model?: string | undefined
}

/** Queues a message behind the turn under way, or behind others that wait; undefined when it can be said at once. */
export async function queueMessage(
  database: Database,
  { caller, threadId, parts, model }: MessageToQueue,
): Promise<StoredQueued | undefined> {
  const { teamId } = caller
  return database.transaction({ team: teamId }, async (transaction) => {
    // whoever ends the turn waits for this, and then finds the message
    const { rows } = await transaction.execute(sql`
      SELECT FROM coherex.turn WHERE team_id = ${teamId} AND thread_id = ${threadId} AND ended_at IS NULL FOR SHARE`)
    const waiting = await selectQueued(transaction, teamId, threadId)
    if (rows.length === 0 && waiting.every(({ problem }) => problem !== null)) return undefined
    if (waiting.length >= mostQueued) {
      throw new CoherexError('quota_exceeded', `${mostQueued} messages wait in this thread: take some back, or wait`)
    }
    const [row] = await transaction
      .insert(queuedMessageTable)
      .values({
        id: createId('message'),
        threadId,
        parts: storable(parts),
        model: model ?? null,
        createdAt: new Date(),
        ...actsFor(caller),
      })
      .returning()
    return row
  })
}

/** Those of a thread, oldest first. */
export async function selectQueued(
  transaction: Transaction,
  teamId: string,
  threadId: string,
): Promise<StoredQueued[]> {
  return transaction
    .select()
    .from(queuedMessageTable)
    .where(and(eq(queuedMessageTable.teamId, teamId), eq(queuedMessageTable.threadId, threadId)))
    .orderBy(asc(queuedMessageTable.createdAt), asc(queuedMessageTable.id))
}

/** The first that can be said. */
export async function findNextQueued(
  database: Database,
  teamId: string,
  threadId: string,
): Promise<StoredQueued | undefined> {
  const waiting = await database.transaction({ team: teamId, upkeep: true }, (transaction) =>
    selectQueued(transaction, teamId, threadId),
  )
  return waiting.find(({ problem }) => problem === null)
}

/** Threads in which something waits and nothing is under way: a server was lost between the end of a turn and the next. */
export async function findWaitingThreads(transaction: Transaction, teamId: string): Promise<string[]> {
  const { rows } = await transaction.execute<{ thread_id: string }>(sql`
    SELECT DISTINCT thread_id FROM coherex.queued_message
    WHERE team_id = ${teamId} AND problem IS NULL AND NOT EXISTS (
      SELECT FROM coherex.turn
      WHERE turn.team_id = ${teamId} AND turn.thread_id = queued_message.thread_id AND turn.ended_at IS NULL)`)
  return rows.map((row) => row.thread_id)
}

/** Takes a message out of the queue, in the transaction that makes it part of the conversation; false when another did. */
export async function takeQueued(transaction: Transaction, { teamId, id }: StoredQueued): Promise<boolean> {
  const taken = await transaction
    .delete(queuedMessageTable)
    .where(and(eq(queuedMessageTable.teamId, teamId), eq(queuedMessageTable.id, id)))
    .returning({ id: queuedMessageTable.id })
  return taken.length > 0
}

/** It waits for its author from now on. */
export async function noteProblem(database: Database, { teamId, id }: StoredQueued, problem: string): Promise<void> {
  await database.transaction({ team: teamId, upkeep: true }, (transaction) =>
    transaction
      .update(queuedMessageTable)
      .set({ problem })
      .where(
        and(eq(queuedMessageTable.teamId, teamId), eq(queuedMessageTable.id, id), isNull(queuedMessageTable.problem)),
      ),
  )
}

interface OwnQueued {
  threadId: string
  messageId: string
}

/** Other words for a message that waits. One that could not be said is tried again. */
export async function changeQueued(
  database: Database,
  caller: TeamCaller,
  { threadId, messageId }: OwnQueued,
  text: string,
): Promise<QueuedMessage> {
  return database.transaction({ team: caller.teamId }, async (transaction) => {
    const before = await selectOwn(transaction, caller, { threadId, messageId })
    const parts = [...before.parts.filter(({ type }) => type !== 'text'), { type: 'text' as const, text }]
    const [row] = await transaction
      .update(queuedMessageTable)
      .set({ parts: storable(parts), problem: null })
      .where(isOne(before))
      .returning()
    return toQueuedMessage(row ?? before)
  })
}

export async function removeQueued(database: Database, caller: TeamCaller, message: OwnQueued): Promise<void> {
  await database.transaction({ team: caller.teamId }, async (transaction) => {
    const row = await selectOwn(transaction, caller, message)
    await transaction.delete(queuedMessageTable).where(isOne(row))
  })
}

export function toQueuedMessage(row: StoredQueued): QueuedMessage {
  return {
    id: row.id,
    text: row.parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join('\n'),
    files: row.parts.flatMap((part) =>
      part.type === 'file' ? (part.filename ?? 'image') : (readFilePart(part)?.name ?? []),
    ),
    createdAt: row.createdAt.toISOString(),
    createdBy: { id: row.personId, name: row.personName },
    problem: row.problem,
  }
}

const isOne = ({ teamId, id }: StoredQueued) =>
  and(eq(queuedMessageTable.teamId, teamId), eq(queuedMessageTable.id, id))

async function selectOwn(
  transaction: Transaction,
  { teamId, person }: TeamCaller,
  { threadId, messageId }: OwnQueued,
): Promise<StoredQueued> {
  const [row] = await transaction
    .select()
    .from(queuedMessageTable)
    .where(
      and(
        eq(queuedMessageTable.teamId, teamId),
        eq(queuedMessageTable.threadId, threadId),
        eq(queuedMessageTable.id, messageId),
      ),
    )
    .for('update')
  if (!row)
    throw new CoherexError('not_found', 'This message does not wait any more: the agent has it, or it was taken back')
  if (row.personId !== person.id) throw new CoherexError('forbidden', 'Only its author changes a message that waits')
  return row
}
