import {
  hasRole,
  type BegunThread,
  type Message,
  type Page,
  type Thread,
  type ThreadFile,
  type ThreadRequest,
  type ThreadSummary,
  type Turn,
  type TurnRequest,
} from '@coherex/contract'
import type { TeamCaller } from '../../access/index.ts'
import type { Database, EventBus } from '../../base/index.ts'
import type { Sandboxes } from '../../runs/index.ts'
import type { Workspaces } from '../../workspaces/index.ts'
import { removeTurn } from './remove-turn.ts'
import { listPrivateThreads, listThreads, readThread, selectThread, type ThreadFilters } from './thread-store.ts'
import {
  changeThread,
  clearThread,
  createThread,
  dropThread,
  exportThread,
  importThread,
  readMessage,
  removeThread,
  rewindThread,
  type ThreadChange,
} from './threads.ts'

export interface ThreadsDeps {
  database: Database
  events: Pick<EventBus, 'publish'>
  workspaces: Pick<Workspaces, 'get'>
  sandboxes: Pick<Sandboxes, 'removeOfThread'>
  /** Says the first message, and answers the turn that it began. */
  say(saying: TurnRequest & { caller: TeamCaller; threadId: string }): Promise<Turn>
}

/** Conversations with agents, for doors. */
export function createThreads({ database, events, workspaces, sandboxes, say }: ThreadsDeps) {
  const tell = (teamId: string, { id, reach, createdBy }: ThreadSummary) =>
    events.publish({
      ...{ teamId, type: 'thread', id },
      ...(reach === 'private' && { only: { personId: createdBy.id, admins: false } }),
    })

  async function sayFirst(saying: Parameters<ThreadsDeps['say']>[0]): Promise<Turn> {
    try {
      return await say(saying)
    } catch (error) {
      // one in which nothing was said would only stand in the list
      await dropThread(database, saying.caller.teamId, saying.threadId)
      throw error
    }
  }

  /** With the sandboxes of a private one: nobody else could see them, or delete them. */
  async function remove(caller: TeamCaller, id: string): Promise<void> {
    const thread = await readThread(database, caller.teamId, id)
    if (thread.reach === 'private') await sandboxes.removeOfThread(caller, id)
    await removeThread(database, caller, id)
    await tell(caller.teamId, thread)
  }

  return {
    async create(caller: TeamCaller, request: ThreadRequest): Promise<BegunThread> {
      const { teamId } = caller
      // one of another team is not there
      if (request.workspaceId !== undefined) await workspaces.get(teamId, request.workspaceId)
      const id = await createThread(database, caller, request)
      const turn = request.message && (await sayFirst({ caller, threadId: id, ...request.message }))
      const thread = await readThread(database, teamId, id)
      if (!turn) await tell(teamId, thread)
      return { ...thread, ...(turn && { turn }) }
    },

    async import(caller: TeamCaller, file: ThreadFile): Promise<Thread> {
      const thread = await importThread(database, caller, file)
      await tell(caller.teamId, thread)
      return thread
    },

    get: (teamId: string, id: string): Promise<Thread> => readThread(database, teamId, id),

    /** Throws when there is no such thread for whoever asks. */
    async check(teamId: string, id: string): Promise<void> {
      await database.transaction({ team: teamId }, (transaction) => selectThread(transaction, teamId, id))
    },

    /** Admins who ask for private threads see that there are others', without a word of them. */
    list: (caller: TeamCaller, filters: ThreadFilters): Promise<Page<ThreadSummary>> =>
      filters.reach === 'private' && filters.search === undefined && hasRole(caller.role, 'admin')
        ? listPrivateThreads(database, caller, filters)
        : listThreads(database, caller.teamId, filters),

    readMessage: (teamId: string, threadId: string, messageId: string): Promise<Message> =>
      readMessage(database, teamId, threadId, messageId),

    export: (teamId: string, id: string): Promise<ThreadFile> => exportThread(database, teamId, id),

    async change(caller: TeamCaller, id: string, change: ThreadChange): Promise<Thread> {
      const { teamId } = caller
      if (change.workspaceId) await workspaces.get(teamId, change.workspaceId)
      const thread = await changeThread(database, caller, id, change)
      await tell(teamId, thread)
      // others' lists drop what they do not see any more, and hear no id of it
      if (change.reach === 'private') await events.publish({ teamId, type: 'thread', id: null })
      return thread
    },

    async clear(teamId: string, id: string): Promise<Thread> {
      const thread = await clearThread(database, teamId, id)
      await tell(teamId, thread)
      return thread
    },

    /** Back to before what an answer answers. */
    async rewind(teamId: string, id: string, answerId: string): Promise<void> {
      await tell(teamId, await rewindThread(database, teamId, { id, answerId }))
    },

    remove,

    /** One answer with its question; the thread where it has no other. */
    async removeTurn(caller: TeamCaller, turnId: string): Promise<void> {
      const { threadId, isWhole } = await removeTurn(database, caller, turnId)
      if (isWhole) await remove(caller, threadId)
      else await tell(caller.teamId, await readThread(database, caller.teamId, threadId))
    },
  }
}
