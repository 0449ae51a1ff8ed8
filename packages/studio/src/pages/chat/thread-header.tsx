import { formatDuration, type Thread } from '@coherex/contract'
import { Link } from '@tanstack/react-router'
import { Archive, ArrowLeft, Lock, Pin, Users } from 'lucide-react'
import { useMe } from '../../data/access/me.ts'
import { Pill } from '../../ui/pill.tsx'
import { formatTokens, knownCost } from '../../words/tokens.ts'
import { ThreadActions } from './thread-actions.tsx'
import { threadTitle } from './thread-words.ts'
import { ThreadWorkspace } from './thread-workspace.tsx'

/** Who sees it, in a word. */
function ThreadReach({ thread: { reach, isArchived } }: { thread: Thread }) {
  return (
    <span className="flex shrink-0 items-center gap-1">
      {reach === 'private' ? (
        <Pill icon={<Lock aria-hidden />}>Private</Pill>
      ) : (
        <Pill tone="blue" icon={<Users aria-hidden />}>
          Team
        </Pill>
      )}
      {isArchived && <Pill icon={<Archive aria-hidden />}>Archived</Pill>}
    </span>
  )
}

/** Which conversation it is, where its agent works, and what it took. */
export function ThreadHeader({ thread }: { thread: Thread }) {
  const { use } = thread
  const me = useMe()
  const took = [
    `${formatTokens(use.inputTokens + use.outputTokens)} tokens`,
    ...knownCost(use.costUsd),
    formatDuration(use.durationMs),
  ]
  return (
    <>
      <Link to="/threads" aria-label="All conversations" className="rounded-md p-1 text-muted hover:bg-hover lg:hidden">
        <ArrowLeft aria-hidden className="size-5" />
      </Link>
      <div className="min-w-0 flex-1">
        <h1 className="flex items-center gap-1.5 text-body font-semibold">
          {thread.pinned && <Pin aria-label="Pinned" className="size-3.5 shrink-0 text-muted" />}
          <span className="truncate">{threadTitle(thread)}</span>
          <ThreadReach thread={thread} />
        </h1>
        <p className="truncate text-small text-muted tabular">
          {thread.createdBy.id !== me.person.id && `${thread.createdBy.name} with `}
          {thread.agent}
          {thread.workspaceId && <ThreadWorkspace id={thread.workspaceId} />}
          {` · ${took.join(' · ')}`}
        </p>
      </div>
      <ThreadActions thread={thread} headId={thread.messages.at(-1)?.id} />
    </>
  )
}
