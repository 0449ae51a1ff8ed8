import type { Proposal, RunSummary, ThreadSummary, WorkspaceVersion } from '@coherex/contract'
import { groupTitle, groupVersions, type VersionGroup } from '../history/group-versions.ts'
import { changesTitle } from '../workspace-words.ts'

/** One thing that somebody did in a workspace. */
export type LogEntry = { key: string; at: string; who: string; words: string } & (
  | { kind: 'version'; from: number; to: number }
  | { kind: 'run'; runId: string; status: RunSummary['status'] }
  | { kind: 'thread'; threadId: string }
  | { kind: 'proposal' }
)

interface Loaded<Item> {
  items: readonly Item[]
  /** There are older ones. */
  hasMore: boolean
}

interface LogSources {
  versions: Loaded<WorkspaceVersion>
  runs: Loaded<RunSummary>
  threads: Loaded<ThreadSummary>
  proposals: readonly Proposal[]
}

/** What people and agents did, newest first, as far back as all of it is loaded. */
export function logEntries({ versions, runs, threads, proposals }: LogSources): LogEntry[] {
  const lists: Loaded<LogEntry>[] = [
    { ...versions, items: groupVersions(versions.items).map(ofVersions) },
    { ...runs, items: runs.items.map(ofRun) },
    { ...threads, items: threads.items.map(ofThread) },
    { items: proposals.map(ofProposal), hasMore: false },
  ]
  const known = lists.flatMap(({ items, hasMore }) => (hasMore ? (items.at(-1)?.at ?? []) : []))
  const since = known.toSorted().at(-1) ?? ''
  return lists
    .flatMap(({ items }) => items)
    .filter(({ at }) => at >= since)
    .toSorted((a, b) => b.at.localeCompare(a.at))
}

function ofVersions(group: VersionGroup): LogEntry {
  const [newest] = group
  const oldest = group.at(-1) ?? newest
  const words = group.length > 1 ? groupTitle(group) : (newest.message ?? changesTitle(newest))
  return {
    ...{ kind: 'version', key: `v${newest.number}`, at: newest.at, who: newest.author.name, words },
    ...{ from: oldest.number - 1, to: newest.number },
  }
}

function ofRun({ id, status, entry, createdAt, createdBy }: RunSummary): LogEntry {
  return { kind: 'run', key: id, at: createdAt, who: createdBy.name, words: `Ran ${entry}`, runId: id, status }
}

function ofThread({ id, agent, title, updatedAt, createdBy }: ThreadSummary): LogEntry {
  const words = `Talked with ${agent}: ${title || 'New conversation'}`
  return { kind: 'thread', key: id, at: updatedAt, who: createdBy.name, words, threadId: id }
}

function ofProposal({ id, path, status, author, createdAt, decidedAt, decidedBy }: Proposal): LogEntry {
  if (status === 'open' || !decidedBy) {
    return { kind: 'proposal', key: id, at: createdAt, who: author.name, words: `Proposed a change of ${path}` }
  }
  const words = `${status === 'accepted' ? 'Accepted' : 'Rejected'} ${author.name}’s change of ${path}`
  return { kind: 'proposal', key: id, at: decidedAt ?? createdAt, who: decidedBy.name, words }
}
