import type { Message } from '@coherex/contract'
import type { UIMessage } from 'ai'
import { and, eq, inArray, sql } from 'drizzle-orm'
import { storable, type Transaction } from '../../base/index.ts'
import { saidBetween } from '../turn/said.ts'
import { messageColumns, messageTable } from './tables.ts'

export type StoredMessage = Omit<typeof messageTable.$inferSelect, 'lexemes'>

const mostWords = 20_000
// a conversation this long is not read in one piece by anyone
const longestBranch = 5_000

/** The messages from the first one down to `headId`, oldest first. */
export async function selectBranch(
  transaction: Transaction,
  teamId: string,
  threadId: string,
  headId: string | null,
): Promise<StoredMessage[]> {
  if (headId === null) return []
  const { rows } = await transaction.execute<{ id: string }>(sql`
    WITH RECURSIVE branch AS (
      SELECT id, parent_id, 1 AS depth FROM coherex.message
      WHERE team_id = ${teamId} AND thread_id = ${threadId} AND id = ${headId}
      UNION ALL
      SELECT message.id, message.parent_id, branch.depth + 1 FROM coherex.message
      JOIN branch ON message.team_id = ${teamId} AND message.id = branch.parent_id
      WHERE branch.depth < ${longestBranch}
    )
    SELECT id FROM branch ORDER BY depth DESC`)
  const ids = rows.map(({ id }) => id)
  const messages = await transaction
    .select(messageColumns)
    .from(messageTable)
    .where(and(eq(messageTable.teamId, teamId), inArray(messageTable.id, ids)))
  const byId = new Map(messages.map((message) => [message.id, message]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** The newest message below `messageId`: where a branch ends that someone switches to. */
export async function selectBranchEnd(
  transaction: Transaction,
  teamId: string,
  threadId: string,
  messageId: string,
): Promise<string | undefined> {
  const { rows } = await transaction.execute<{ id: string }>(sql`
    WITH RECURSIVE below AS (
      SELECT id, created_at, 0 AS depth FROM coherex.message
      WHERE team_id = ${teamId} AND thread_id = ${threadId} AND id = ${messageId}
      UNION ALL
      SELECT message.id, message.created_at, below.depth + 1 FROM coherex.message
      JOIN below ON message.team_id = ${teamId} AND message.thread_id = ${threadId} AND message.parent_id = below.id
      WHERE below.depth < ${longestBranch}
    )
    SELECT below.id FROM below
    WHERE NOT EXISTS (
      SELECT 1 FROM coherex.message child
      WHERE child.team_id = ${teamId} AND child.thread_id = ${threadId} AND child.parent_id = below.id
    )
    ORDER BY created_at DESC, id DESC LIMIT 1`)
  return rows[0]?.id
}

/** What the first answer to a question began with before its model said anything: what a trigger was sent. */
export async function selectOpening(
  transaction: Transaction,
  { teamId, threadId, questionId }: { teamId: string; threadId: string; questionId: string },
): Promise<UIMessage['parts']> {
  const [first] = await transaction
    .select({ parts: messageTable.parts })
    .from(messageTable)
    .where(
      and(
        eq(messageTable.teamId, teamId),
        eq(messageTable.threadId, threadId),
        eq(messageTable.parentId, questionId),
        eq(messageTable.role, 'assistant'),
      ),
    )
    .orderBy(messageTable.createdAt, messageTable.id)
    .limit(1)
  const parts = first?.parts ?? []
  const begun = parts.findIndex(({ type }) => type === 'step-start')
  return begun < 0 ? parts : parts.slice(0, begun)
}

/** Which messages stand beside each of these, by parent, in the order they were made. */
export async function selectSiblings(
  transaction: Transaction,
  teamId: string,
  threadId: string,
): Promise<Map<string | null, string[]>> {
  const rows = await transaction
    .select({ id: messageTable.id, parentId: messageTable.parentId })
    .from(messageTable)
    .where(and(eq(messageTable.teamId, teamId), eq(messageTable.threadId, threadId)))
    .orderBy(messageTable.createdAt, messageTable.id)
  const siblings = new Map<string | null, string[]>()
  for (const { id, parentId } of rows) siblings.set(parentId, [...(siblings.get(parentId) ?? []), id])
  return siblings
}

export async function insertMessage(
  transaction: Transaction,
  message: Omit<typeof messageTable.$inferInsert, 'words'>,
): Promise<void> {
  const parts = storable(message.parts)
  await transaction.insert(messageTable).values({ ...message, parts, words: wordsOf(parts) })
}

export async function updateMessage(
  transaction: Transaction,
  teamId: string,
  id: string,
  message: Pick<UIMessage, 'parts'>,
): Promise<void> {
  const parts = storable(message.parts)
  await transaction
    .update(messageTable)
    .set({ parts, words: wordsOf(parts) })
    .where(and(eq(messageTable.teamId, teamId), eq(messageTable.id, id)))
}

export function toMessage(row: StoredMessage, siblings: Map<string | null, string[]>): Message {
  return {
    id: row.id,
    parentId: row.parentId,
    role: row.role,
    parts: row.parts,
    ...(row.metadata && { metadata: row.metadata }),
    createdAt: row.createdAt.toISOString(),
    createdBy: { id: row.authorId, name: row.authorName },
    turnId: row.turnId,
    siblings: siblings.get(row.parentId) ?? [row.id],
  }
}

/** A branch as the model reads it that answers its message `questionId`. */
export function toHistory(branch: readonly StoredMessage[], questionId: string): UIMessage[] {
  return branch.filter(({ metadata }) => (metadata?.['onlyFor'] ?? questionId) === questionId).map(toUiMessage)
}

export function toUiMessage({ id, role, parts }: StoredMessage): UIMessage {
  return { id, role, parts }
}

function wordsOf(parts: UIMessage['parts']): string {
  const text = parts.flatMap(saidBetween).flatMap((part) => (part.type === 'text' ? part.text : []))
  return text.join('\n').slice(0, mostWords)
}
