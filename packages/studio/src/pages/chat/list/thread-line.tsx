import type { ThreadSummary } from '@coherex/contract'
import { Link } from '@tanstack/react-router'
import { Lock, Pin } from 'lucide-react'
import { Avatar } from '../../../ui/avatar.tsx'
import { Time } from '../../../ui/text/time.tsx'
import { formatCost } from '../../../words/tokens.ts'
import { ActivityIcon } from '../activity-icon.tsx'
import { activityWords, threadTitle } from '../thread-words.ts'
import type { ThreadPlace } from './thread-place.ts'

interface ThreadLineProps {
  thread: ThreadSummary
  /** What the list shows stays as it is when one of it is opened. */
  place: ThreadPlace
  showsAuthor: boolean
}

/** One conversation of the list. */
export function ThreadLine({ thread, place, showsAuthor }: ThreadLineProps) {
  const isBusy = thread.activity !== 'idle'
  if (thread.isHidden) return <HiddenLine thread={thread} />
  return (
    <li>
      <Link
        to="/threads/$id"
        params={{ id: thread.id }}
        search={place}
        className="flex flex-col rounded-md px-2.5 py-1.5 transition-colors hover:bg-hover aria-[current=page]:bg-pressed"
      >
        <span className="flex items-center gap-1.5 text-dense font-medium">
          {thread.pinned && <Pin aria-label="Pinned" className="size-3 shrink-0 text-muted" />}
          {thread.reach === 'private' && <Lock aria-label="Private" className="size-3 shrink-0 text-muted" />}
          <span className="min-w-0 flex-1 truncate">{threadTitle(thread)}</span>
          {isBusy && <ActivityIcon activity={thread.activity} label={activityWords[thread.activity]} />}
        </span>
        <span className="flex items-center justify-between gap-2 text-small text-muted">
          {showsAuthor ? (
            <span className="flex min-w-0 items-center gap-1.5">
              <Avatar name={thread.createdBy.name} size="small" />
              <span className="truncate">
                {thread.createdBy.name} · {thread.agent}
              </span>
            </span>
          ) : (
            <span className="truncate">{thread.agent}</span>
          )}
          <Time at={thread.updatedAt} />
        </span>
      </Link>
    </li>
  )
}

/** Another person's private conversation, as admins see it. */
function HiddenLine({ thread }: { thread: ThreadSummary }) {
  const { createdBy, agent, use, updatedAt } = thread
  return (
    <li className="flex flex-col px-2.5 py-1.5">
      <span className="flex items-center gap-1.5 text-dense text-muted">
        <Lock aria-hidden className="size-3 shrink-0" />
        <span className="min-w-0 flex-1 truncate">Private conversation</span>
        <span className="tabular">{formatCost(use.costUsd)}</span>
      </span>
      <span className="flex items-center justify-between gap-2 text-small text-muted">
        <span className="flex min-w-0 items-center gap-1.5">
          <Avatar name={createdBy.name} size="small" />
          <span className="truncate">
            {createdBy.name} · {agent}
          </span>
        </span>
        <Time at={updatedAt} />
      </span>
    </li>
  )
}
