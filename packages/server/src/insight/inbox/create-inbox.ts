import type { InboxCount, InboxItem, Page } from '@coherex/contract'
import type { TeamCaller } from '../../access/index.ts'
import type { Database, EventBus } from '../../base/index.ts'
import { dismissItem } from './dismiss-item.ts'
import { countInbox, listInbox, type InboxQuery } from './list-inbox.ts'

export type Inbox = ReturnType<typeof createInbox>

/** What waits for a person, for doors. What decides an item is the verb of its own room. */
export function createInbox({ database, events }: { database: Database; events: Pick<EventBus, 'publish'> }) {
  return {
    list: (caller: TeamCaller, query: InboxQuery): Promise<Page<InboxItem>> => listInbox(database, caller, query),
    count: (caller: TeamCaller): Promise<InboxCount> => countInbox(database, caller),

    async dismiss(caller: TeamCaller, id: string): Promise<void> {
      await dismissItem(database, caller, id)
      // for the person's other windows
      await events.publish({ teamId: caller.teamId, type: 'inbox', id: null })
    },
  }
}
