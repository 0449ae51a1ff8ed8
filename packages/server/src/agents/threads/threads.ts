import { CoherexError, type Thread, type ThreadFile, type ThreadReach, type ThreadRequest } from '@coherex/contract'
import type { UIMessage } from 'ai'
import { and, asc, eq, sql } from 'drizzle-orm'
import { recordAudit, type TeamCaller } from '../../access/index.ts'
import { createId, type Database, type Transaction } from '../../base/index.ts'
import { getAgent, requireApprovedSkill, requireDefinition } from '../../registry/index.ts'
import { selectOpenTurn } from '../turns/turn-store.ts'
import { changeReach } from './change-reach.ts'
import { insertMessage, selectBranchEnd, selectSiblings, toMessage } from './message-store.ts'
import { messageColumns, messageTable, threadTable } from './tables.ts'
import { reachOf, readThread, selectThread } from './thread-store.ts'

export async function createThread(database: Database, caller: TeamCaller, request: ThreadRequest): Promise<string> {
  const { teamId } = caller
  const agent = request.definition === undefined ? request.agent : requireDefinition(request.definition).name
  if (request.definition === undefined) await getAgent(database, teamId, agent)
  if (request.skill) await requireApprovedSkill(database, teamId, request.skill)
  return database.transaction({ team: teamId }, (transaction) =>
    insertThread(transaction, caller, { ...request, agent }),
  )
}

/** Takes back a thread whose first message could not be said. */
export async function dropThread(database: Database, teamId: string, id: string): Promise<void> {
  await database.transaction({ team: teamId }, (transaction) =>
    transaction.delete(threadTable).where(and(eq(threadTable.teamId, teamId), eq(threadTable.id, id))),
  )
}

/** What a thread is begun by that no person begins. */
export type Beginner = { trigger: true } | { parentTurnId: string; parentCallId: string; privateTo: string | null }

/** Writes a thread down. One that a call began is found again by it, and has the reach of the thread of that call. */
export async function insertThread(
  transaction: Transaction,
  caller: TeamCaller,
  { agent, workspaceId, model, title, reach, skill, definition }: ThreadRequest,
  beginner?: Beginner,
): Promise<string> {
  const { teamId, person } = caller
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
    ...(skill !== undefined && { skill }),
    ...(definition !== undefined && { definition }),
    ...(title !== undefined && { title, isTitleGiven: true }),
    ...beginningOf(caller, reach, beginner),
  })
  return id
}

/** What people say themselves is private; what keys and triggers begin is the team's, as it works for the team. */
function beginningOf({ via, person }: TeamCaller, reach?: ThreadReach, beginner?: Beginner) {
  if (beginner && 'trigger' in beginner) return { origin: 'trigger' as const }
  if (beginner) return { origin: 'agent' as const, ...beginner }
  const isPrivate = (reach ?? (via === 'session' ? 'private' : 'team')) === 'private'
  const origin = via === 'key' ? ('key' as const) : ('person' as const)
  return { origin, privateTo: isPrivate ? person.id : null }
}

export interface ThreadChange {
  title?: string | undefined
  pinned?: boolean | undefined
  model?: string | null | undefined
  /** A message whose branch is shown from now on. */
  head?: string | undefined
  reach?: ThreadReach | undefined
  isArchived?: boolean | undefined
  workspaceId?: string | null | undefined
}

export async function changeThread(
  database: Database,
  caller: TeamCaller,
  id: string,
  { title, pinned, model, head, reach, isArchived, workspaceId }: ThreadChange,
): Promise<Thread> {
  const { teamId } = caller
  await database.transaction({ team: teamId }, async (transaction) => {
    const thread = await selectThread(transaction, teamId, id)
    if (reach !== undefined && reach !== reachOf(thread)) await changeReach(transaction, caller, thread, reach)
    const headId = head && (await selectBranchEnd(transaction, teamId, id, head))
    if (head && !headId) throw new CoherexError('not_found', 'There is no such message in this thread')
    if (headId) await refuseWhileWorking(transaction, teamId, id)
    const changes = {
      ...(title !== undefined && { title, isTitleGiven: true }),
      ...(pinned !== undefined && { pinned }),
      ...(model !== undefined && { model }),
      ...(headId && { headId }),
      ...(isArchived !== undefined && { isArchived }),
      ...(workspaceId !== undefined && { workspaceId }),
    }
    if (Object.keys(changes).length === 0) return
    await transaction
      .update(threadTable)
      .set(changes)
      .where(and(eq(threadTable.teamId, teamId), eq(threadTable.id, id)))
  })
  return readThread(database, teamId, id)
}

/** Shows the thread as it was before a question was asked; what was said since stays as a branch. */
export async function rewindThread(
  database: Database,
  teamId: string,
  { id, answerId }: { id: string; answerId: string },
): Promise<Thread> {
  await database.transaction({ team: teamId }, async (transaction) => {
    await selectThread(transaction, teamId, id)
    await refuseWhileWorking(transaction, teamId, id)
    const asked = sql`(SELECT parent_id FROM coherex.message WHERE team_id = ${teamId} AND id = ${answerId})`
    await transaction
      .update(threadTable)
      .set({ headId: sql`(SELECT parent_id FROM coherex.message WHERE team_id = ${teamId} AND id = ${asked})` })
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
    // what ran for everyone stays theirs; what ran in private goes with what it was for
    const ofThread = sql`WHERE team_id = ${teamId} AND thread_id = ${id}`
    if (thread.privateTo === null) {
      await transaction.execute(sql`UPDATE coherex.run SET thread_id = NULL ${ofThread}`)
      await transaction.execute(sql`UPDATE coherex.sandbox SET thread_id = NULL ${ofThread}`)
    } else await transaction.execute(sql`DELETE FROM coherex.run ${ofThread}`)
    await transaction.delete(threadTable).where(and(eq(threadTable.teamId, teamId), eq(threadTable.id, id)))
    // the log is read by admins, who do not see what private threads say
    const target = { kind: 'thread', id, name: thread.privateTo === null ? thread.title : 'a private conversation' }
    await recordAudit(transaction, { teamId, actor: caller, action: 'thread.delete', target })
  })
}

/** One message, whichever branch it is on. */
export async function readMessage(database: Database, teamId: string, threadId: string, messageId: string) {
  return database.transaction({ team: teamId }, async (transaction) => {
    const [row] = await transaction
      .select(messageColumns)
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
      .select(messageColumns)
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
      ...beginningOf(caller),
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
