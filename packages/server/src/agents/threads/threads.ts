import { CoherexError, type Thread, type ThreadFile, type ThreadRequest } from '@coherex/contract'
import type { UIMessage } from 'ai'
import { and, asc, eq } from 'drizzle-orm'
import { recordAudit, type TeamCaller } from '../../access/index.ts'
import { createId, type Database, type Transaction } from '../../base/index.ts'
import { getAgent } from '../../registry/index.ts'
import { selectOpenTurn } from '../turns/turn-store.ts'
import { insertMessage, selectBranchEnd, selectSiblings, toMessage } from './message-store.ts'
import { messageTable, threadTable } from './tables.ts'
import { readThread, selectThread } from './thread-store.ts'

export async function createThread(database: Database, caller: TeamCaller, request: ThreadRequest): Promise<Thread> {
  const { teamId } = caller
  await getAgent(database, teamId, request.agent)
  const id = await database.transaction({ team: teamId }, (transaction) => insertThread(transaction, caller, request))
  return readThread(database, teamId, id)
}

/** Writes a thread down. One that a call began is found again by it. */
export async function insertThread(
  transaction: Transaction,
  { teamId, person }: TeamCaller,
  { agent, workspaceId, model, title }: ThreadRequest,
  parent: { parentTurnId?: string; parentCallId?: string } = {},
): Promise<string> {
  const id = createId('thread')
  await transaction.insert(threadTable).values({
    teamId,
    id,
    agentName: agent,
    // in milliseconds, as cursors of lists tell it
    updatedAt: new Date(),
    personId: person.id,
    personName: person.name,
    ...(workspaceId !== undefined && { workspaceId }),
    ...(model !== undefined && { model }),
    ...(title !== undefined && { title, isTitleGiven: true }),
    ...parent,
  })
  return id
}

export interface ThreadChange {
  title?: string | undefined
  pinned?: boolean | undefined
  model?: string | null | undefined
  /** A message whose branch is shown from now on. */
  head?: string | undefined
}

export async function changeThread(
  database: Database,
  teamId: string,
  id: string,
  { title, pinned, model, head }: ThreadChange,
): Promise<Thread> {
  await database.transaction({ team: teamId }, async (transaction) => {
    await selectThread(transaction, teamId, id)
    const headId = head && (await selectBranchEnd(transaction, teamId, id, head))
    if (head && !headId) throw new CoherexError('not_found', 'There is no such message in this thread')
    if (headId) await refuseWhileWorking(transaction, teamId, id)
    const changes = {
      ...(title !== undefined && { title, isTitleGiven: true }),
      ...(pinned !== undefined && { pinned }),
      ...(model !== undefined && { model }),
      ...(headId && { headId }),
    }
    if (Object.keys(changes).length === 0) return
    await transaction
      .update(threadTable)
      .set(changes)
      .where(and(eq(threadTable.teamId, teamId), eq(threadTable.id, id)))
  })
  return readThread(database, teamId, id)
}

/** The next message begins anew; what was said stays readable, and can be shown again as a branch. */
export async function clearThread(database: Database, teamId: string, id: string): Promise<Thread> {
  await database.transaction({ team: teamId }, async (transaction) => {
    await selectThread(transaction, teamId, id)
    await refuseWhileWorking(transaction, teamId, id)
    await transaction
      .update(threadTable)
      .set({ headId: null })
      .where(and(eq(threadTable.teamId, teamId), eq(threadTable.id, id)))
  })
  return readThread(database, teamId, id)
}

export async function removeThread(database: Database, caller: TeamCaller, id: string): Promise<void> {
  const { teamId } = caller
  await database.transaction({ team: teamId }, async (transaction) => {
    const thread = await selectThread(transaction, teamId, id)
    await refuseWhileWorking(transaction, teamId, id)
    await transaction.delete(threadTable).where(and(eq(threadTable.teamId, teamId), eq(threadTable.id, id)))
    const target = { kind: 'thread', id, name: thread.title }
    await recordAudit(transaction, { teamId, actor: caller, action: 'thread.delete', target })
  })
}

/** One message, whichever branch it is on. */
export async function readMessage(database: Database, teamId: string, threadId: string, messageId: string) {
  return database.transaction({ team: teamId }, async (transaction) => {
    const [row] = await transaction
      .select()
      .from(messageTable)
      .where(and(eq(messageTable.teamId, teamId), eq(messageTable.threadId, threadId), eq(messageTable.id, messageId)))
    if (!row) throw new CoherexError('not_found', 'There is no such message in this thread')
    return toMessage(row, await selectSiblings(transaction, teamId, threadId))
  })
}

/** All branches, to keep or to bring in elsewhere. */
export async function exportThread(database: Database, teamId: string, id: string): Promise<ThreadFile> {
  return database.transaction({ team: teamId }, async (transaction) => {
    const thread = await selectThread(transaction, teamId, id)
    const rows = await transaction
      .select()
      .from(messageTable)
      .where(and(eq(messageTable.teamId, teamId), eq(messageTable.threadId, id)))
      .orderBy(asc(messageTable.createdAt), asc(messageTable.id))
    return {
      kind: 'coherex-thread',
      version: 1,
      agent: thread.agentName,
      title: thread.title,
      messages: rows.flatMap((row) =>
        row.role === 'system'
          ? []
          : {
              id: row.id,
              parentId: row.parentId,
              role: row.role,
              parts: row.parts,
              createdAt: row.createdAt.toISOString(),
              createdBy: row.authorName,
            },
      ),
    }
  })
}

/** A conversation from a file: its messages get ids of ours, and its authors are names, not people here. */
export async function importThread(database: Database, caller: TeamCaller, file: ThreadFile): Promise<Thread> {
  const { teamId, person } = caller
  const ids = new Map(file.messages.map(({ id }) => [id, createId('message')]))
  if (ids.size !== file.messages.length) throw new CoherexError('invalid_input', 'messages: two have the same id')
  const earlier = new Set<string>()
  for (const { id: messageId, parentId } of file.messages) {
    if (parentId !== null && !earlier.has(parentId)) {
      throw new CoherexError('invalid_input', 'messages: each must come after the one it answers')
    }
    earlier.add(messageId)
  }
  await getAgent(database, teamId, file.agent)
  const id = createId('thread')
  await database.transaction({ team: teamId }, async (transaction) => {
    await transaction.insert(threadTable).values({
      teamId,
      id,
      agentName: file.agent,
      updatedAt: new Date(),
      title: file.title,
      isTitleGiven: file.title !== '',
      headId: ids.get(file.messages.at(-1)?.id ?? '') ?? null,
      personId: person.id,
      personName: person.name,
    })
    for (const message of file.messages) {
      await insertMessage(transaction, {
        teamId,
        id: ids.get(message.id) ?? '',
        threadId: id,
        parentId: message.parentId === null ? null : (ids.get(message.parentId) ?? null),
        role: message.role,
        parts: message.parts as UIMessage['parts'],
        authorId: 'imported',
        authorName: message.createdBy,
        createdAt: new Date(message.createdAt),
      })
    }
  })
  return readThread(database, teamId, id)
}

async function refuseWhileWorking(
  transaction: Parameters<typeof selectOpenTurn>[0],
  teamId: string,
  id: string,
): Promise<void> {
  if (await selectOpenTurn(transaction, teamId, id)) {
    throw new CoherexError('conflict', 'The agent is still at work in this thread: wait, or stop it')
  }
}
