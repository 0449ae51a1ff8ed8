import { CoherexError, type StartedBy, type TurnRequest } from '@coherex/contract'
import type { UIMessage } from 'ai'
import { and, eq } from 'drizzle-orm'
import type { TeamCaller } from '../../access/index.ts'
import { createId, type Transaction } from '../../base/index.ts'
import { insertMessage } from '../threads/message-store.ts'
import { messageColumns, messageTable } from '../threads/tables.ts'
import type { StoredThread } from '../threads/thread-store.ts'
import type { StoredTurn } from '../turns/turn-store.ts'
import type { Beginning, ParentTurn } from './begin-turn.ts'

export interface Saying extends Omit<TurnRequest, 'parentId'> {
  caller: TeamCaller
  threadId: string
  /** Message to say it after; undefined is the end of the branch that is shown. */
  parentId?: string | null | undefined
  parent?: ParentTurn
  /** The message, where it was made before. */
  parts?: UIMessage['parts']
  /** Messages that stand before it, for a caller who brings the conversation along. */
  before?: EarlierMessage[]
  /** What a door keeps with the message. */
  metadata?: Record<string, unknown>
  /** What began it, such as a trigger; the caller unless said. */
  startedBy?: StartedBy
  /** For what no person says: who does, what the answer begins with, and what is written down with the turn. */
  opening?: {
    author: { authorId: string; authorName: string }
    parts: UIMessage['parts']
    begun(transaction: Transaction): Promise<void>
  }
}

/** A message that a caller says was said before. */
export interface EarlierMessage {
  role: 'user' | 'assistant'
  parts: UIMessage['parts']
  authorName: string
  /** Only the answer to the message that is said now heeds it; later ones do not read it. */
  isForNow?: boolean
}

/** Something new is said. */
export function beginSaying(saying: Saying): Beginning {
  const { caller, threadId, parentId, model, parent, startedBy, opening, before = [], metadata } = saying
  const { teamId, person } = caller
  const parts = saying.parts ?? partsOf(saying)
  return {
    ...{ caller, threadId, model, parent, startedBy },
    opening: opening?.parts,
    async question(transaction, thread) {
      await opening?.begun(transaction)
      const after = parentId === undefined ? thread.headId : parentId
      if (after !== null) await requireMessage(transaction, thread, after)
      const id = createId('message')
      let last = after
      for (const { isForNow, ...message } of before) {
        const earlier = { ...message, teamId, id: createId('message'), threadId, parentId: last, authorId: 'imported' }
        await insertMessage(transaction, { ...earlier, ...(isForNow && { metadata: { onlyFor: id } }) })
        last = earlier.id
      }
      const author = opening?.author ?? { authorId: person.id, authorName: person.name }
      const said = { teamId, id, threadId, parentId: last, role: 'user' as const, parts, metadata, ...author }
      await insertMessage(transaction, said)
      return id
    },
  }
}

/** A message as it is kept. */
export function partsOf({ text, files = [] }: Pick<TurnRequest, 'text' | 'files'>): UIMessage['parts'] {
  const images = files.map(({ name, mediaType, base64 }) => ({
    type: 'file' as const,
    filename: name,
    mediaType,
    url: `data:${mediaType};base64,${base64}`,
  }))
  return [...images, { type: 'text', text }]
}

/** A message is answered again, as another branch. */
export function beginAgain(
  caller: TeamCaller,
  threadId: string,
  { messageId, model }: { messageId: string; model?: string | undefined },
): Beginning {
  return {
    ...{ caller, threadId, model, opening: 'as-before' },
    async question(transaction, thread) {
      const message = await requireMessage(transaction, thread, messageId)
      const question = message.role === 'user' ? message.id : message.parentId
      if (!question) throw new CoherexError('invalid_input', 'There is no question to answer again')
      return question
    },
  }
}

/** The question of a turn is answered again, as another branch. */
export function beginRetry(caller: TeamCaller, { id, threadId, questionId }: StoredTurn): Beginning {
  return {
    ...{ caller, threadId, retryOf: id, opening: 'as-before' },
    question: async (transaction, thread) => (await requireMessage(transaction, thread, questionId)).id,
  }
}

/** A turn that ended at a limit, was stopped or broke off goes on: its answer grows in place. */
export function beginContinued(caller: TeamCaller, before: StoredTurn): Beginning {
  const { id, endedAt, status, threadId, answerId, questionId, ending } = before
  if (!endedAt || status === 'done') throw new CoherexError('conflict', 'This turn has nothing to go on with')
  // where the model failed, people may have picked another one since
  const model = ending?.kind === 'model' ? undefined : before.model
  return { caller, threadId, model, answerId, continues: id, question: async () => questionId }
}

async function requireMessage(transaction: Transaction, { teamId, id }: StoredThread, messageId: string) {
  const [row] = await transaction
    .select(messageColumns)
    .from(messageTable)
    .where(and(eq(messageTable.teamId, teamId), eq(messageTable.threadId, id), eq(messageTable.id, messageId)))
  if (!row) throw new CoherexError('not_found', 'There is no such message in this thread')
  return row
}
