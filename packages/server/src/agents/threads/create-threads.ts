import type { Message, Page, Thread, ThreadFile, ThreadRequest, ThreadSummary } from '@coherex/contract'
import type { TeamCaller } from '../../access/index.ts'
import type { Database, EventBus } from '../../base/index.ts'
import type { Workspaces } from '../../workspaces/index.ts'
import { listThreads, readThread, type ThreadFilters } from './thread-store.ts'
import {
  changeThread,
  clearThread,
  createThread,
  exportThread,
  importThread,
  readMessage,
  removeThread,
  type ThreadChange,
} from './threads.ts'

export interface ThreadsDeps {
  database: Database
  events: Pick<EventBus, 'publish'>
  workspaces: Pick<Workspaces, 'get'>
}

/** Conversations with agents, for doors. */
export function createThreads({ database, events, workspaces }: ThreadsDeps) {
  const changed = (teamId: string, id: string) => events.publish({ teamId, type: 'thread', id })

  return {
    async create(caller: TeamCaller, request: ThreadRequest): Promise<Thread> {
      // one of another team is not there
      if (request.workspaceId !== undefined) await workspaces.get(caller.teamId, request.workspaceId)
      const thread = await createThread(database, caller, request)
      await changed(caller.teamId, thread.id)
      return thread
    },

    async import(caller: TeamCaller, file: ThreadFile): Promise<Thread> {
      const thread = await importThread(database, caller, file)
      await changed(caller.teamId, thread.id)
      return thread
    },

    get: (teamId: string, id: string): Promise<Thread> => readThread(database, teamId, id),

    list: (teamId: string, filters: ThreadFilters): Promise<Page<ThreadSummary>> =>
      listThreads(database, teamId, filters),

    readMessage: (teamId: string, threadId: string, messageId: string): Promise<Message> =>
      readMessage(database, teamId, threadId, messageId),

    export: (teamId: string, id: string): Promise<ThreadFile> => exportThread(database, teamId, id),

    async change(teamId: string, id: string, change: ThreadChange): Promise<Thread> {
      const thread = await changeThread(database, teamId, id, change)
      await changed(teamId, id)
      return thread
    },

    async clear(teamId: string, id: string): Promise<Thread> {
      const thread = await clearThread(database, teamId, id)
      await changed(teamId, id)
      return thread
    },

    async remove(caller: TeamCaller, id: string): Promise<void> {
      await removeThread(database, caller, id)
      await changed(caller.teamId, id)
    },
  }
}
