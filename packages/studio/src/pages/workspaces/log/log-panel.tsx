import { Bot, GitCommitHorizontal, GitPullRequestArrow, Play, ScrollText } from 'lucide-react'
import { useProposalList } from '../../../data/proposal.ts'
import { useWorkspaceRuns } from '../../../data/run/run-list.ts'
import { useThreadList } from '../../../data/thread/thread-list.ts'
import { useVersionList } from '../../../data/version.ts'
import { Empty } from '../../../ui/empty.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { LoadMore } from '../../../ui/list/load-more.tsx'
import { StatusPill } from '../../../ui/pill.tsx'
import { WaitingLines } from '../../../ui/skeleton.tsx'
import { TextLink } from '../../../ui/text/text-link.tsx'
import { Time } from '../../../ui/text/time.tsx'
import { logEntries, type LogEntry } from './log-entries.ts'

interface LogPanelProps {
  id: string
  onCompare: (from: number, to: number) => void
  onRun: (runId: string) => void
  onProposals: () => void
}

const icons = { version: GitCommitHorizontal, run: Play, thread: Bot, proposal: GitPullRequestArrow }

/** What people and agents did in the workspace, newest first. Each entry leads to what it is about. */
export function LogPanel({ id, ...leads }: LogPanelProps) {
  const versions = useVersionList(id)
  const runs = useWorkspaceRuns(id)
  const threads = useThreadList({})
  const open = useProposalList(id)
  const decided = [useProposalList(id, 'accepted'), useProposalList(id, 'rejected')]
  const lists = [versions, runs]
  const failed = lists.find(({ error, items }) => error && !items)
  if (failed?.error)
    return <ErrorState doing="load the log" error={failed.error} onRetry={() => void failed.refetch()} />
  if (!versions.items || !runs.items) {
    return <WaitingLines label="Loading the log" className="gap-3 p-4" lines={['h-3 w-72', 'h-3 w-56', 'h-3 w-64']} />
  }
  const entries = logEntries({
    versions: { items: versions.items, hasMore: versions.hasNextPage },
    runs: { items: runs.items, hasMore: runs.hasNextPage },
    // pinned ones come first, so that the end of their list says nothing about time
    threads: { items: threads.items?.filter((thread) => thread.workspaceId === id) ?? [], hasMore: false },
    proposals: [open, ...decided].flatMap(({ items = [] }) => items),
  })
  if (entries.length === 0) {
    return (
      <Empty icon={ScrollText} title="Nothing happened yet">
        Changes of files, runs, conversations and decisions are listed here, with who made them.
      </Empty>
    )
  }
  const more = lists.filter(({ hasNextPage }) => hasNextPage)
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <ol aria-label="Log" className="py-1">
        {entries.map((entry) => (
          <LogLine key={entry.key} entry={entry} {...leads} />
        ))}
      </ol>
      <LoadMore
        pages={{
          hasNextPage: more.length > 0,
          isFetchingNextPage: lists.some(({ isFetchingNextPage }) => isFetchingNextPage),
          fetchNextPage: () => Promise.all(more.map(({ fetchNextPage }) => fetchNextPage())),
        }}
      />
    </div>
  )
}

function LogLine({ entry, ...leads }: Omit<LogPanelProps, 'id'> & { entry: LogEntry }) {
  const Icon = icons[entry.kind]
  return (
    <li className="flex items-center gap-2 px-4 py-1 text-dense max-md:flex-wrap max-md:py-2">
      <Icon aria-hidden className="size-4 shrink-0 text-muted" />
      <span className="min-w-0 flex-1 truncate">
        <Lead entry={entry} {...leads} />
      </span>
      {entry.kind === 'run' && <StatusPill status={entry.status} />}
      <span className="max-w-48 shrink-0 truncate text-small text-muted">{entry.who}</span>
      <span className="w-24 shrink-0 text-right text-small text-muted">
        <Time at={entry.at} />
      </span>
    </li>
  )
}

function Lead({ entry, onCompare, onRun, onProposals }: Omit<LogPanelProps, 'id'> & { entry: LogEntry }) {
  const { words } = entry
  if (entry.kind === 'thread') {
    return (
      <TextLink to="/threads/$id" params={{ id: entry.threadId }}>
        {words}
      </TextLink>
    )
  }
  const go = () => {
    if (entry.kind === 'version') onCompare(entry.from, entry.to)
    else if (entry.kind === 'run') onRun(entry.runId)
    else onProposals()
  }
  return (
    <button type="button" onClick={go} className="max-w-full truncate rounded-sm text-left hover:underline">
      {words}
    </button>
  )
}
