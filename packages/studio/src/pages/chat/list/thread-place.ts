import type { ThreadSummary } from '@coherex/contract'
import type { ThreadQuery } from '../../../data/thread/thread-list.ts'
import { oneOf, wordsOf } from '../../../shell/address-filters.ts'
import { dayGroupOf } from '../../../words/day-groups.ts'

const threadTabs = ['mine', 'team', 'archived'] as const
export type ThreadTab = (typeof threadTabs)[number]

/** Conversations that nobody sat before, and those of others that admins see no word of. */
const threadKinds = ['trigger', 'agent', 'private'] as const
export type ThreadKind = (typeof threadKinds)[number]

/** What the list beside a conversation shows, as it stands in the address. */
export interface ThreadPlace {
  tab?: ThreadTab
  by?: ThreadKind
  search?: string
}

export function parseThreadPlace(given: { tab?: unknown; by?: unknown; search?: unknown }): ThreadPlace {
  const tab = oneOf(threadTabs, given.tab)
  const by = oneOf(threadKinds, given.by)
  const search = wordsOf(given.search)?.slice(0, 100)
  return { ...(tab && { tab }), ...(by && { by }), ...(search && { search }) }
}

/** The question that a place of the list puts to the server. */
export function toThreadQuery(tab: ThreadTab, { by, search }: ThreadPlace): ThreadQuery {
  const sought = search ? { search } : {}
  if (tab === 'mine') return { ...sought, mine: 'true', startedBy: 'person,key' }
  if (tab === 'archived') return { ...sought, archived: 'true', startedBy: 'person,key,trigger' }
  // what they say cannot be searched
  if (by === 'private') return { reach: 'private' }
  return { ...sought, reach: 'team', startedBy: by ?? 'person,key' }
}

/** Pinned ones, then those of each day. */
export function groupThreads(threads: readonly ThreadSummary[], nowMs: number): [string, ThreadSummary[]][] {
  return [
    ...Map.groupBy(threads, ({ pinned, updatedAt }) => (pinned ? 'Pinned' : dayGroupOf(updatedAt, nowMs))).entries(),
  ]
}
