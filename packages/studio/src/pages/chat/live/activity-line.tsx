import { formatDuration, type MessagePart, type Thread, type Turn } from '@coherex/contract'
import { useState } from 'react'
import { useNow } from '../../../ui/state/use-now.ts'
import { ActivityIcon } from '../activity-icon.tsx'
import { describeActivity } from './describe-activity.ts'

interface ActivityLineProps {
  thread: Pick<Thread, 'activity'>
  /** The turn under way, where it is known already. */
  turn: Turn | undefined
  /** Of the answer that it writes. */
  parts: readonly MessagePart[]
  isLost: boolean
  retry: { attempt: number; reason: string } | undefined
}

// what is over in a moment needs no clock
const shownAfterMs = 2_000

/** What the agent does now, and for how long it has. */
export function ActivityLine({ thread: { activity }, turn, parts, isLost, retry }: ActivityLineProps) {
  const words = describeActivity(parts, activity, turn)
  const works = activity === 'thinking' || activity === 'executing'
  const now = useNow(works)
  // a page that opens in the middle of it asks the turn since when that is
  const [since, setSince] = useState(() => ({ words, at: Math.min(Date.now(), lastMoment(turn)) }))
  if (since.words !== words) setSince({ words, at: Date.now() })
  const tookMs = Math.floor((now - since.at) / 1000) * 1000
  return (
    <p className="flex min-w-0 items-center gap-2 pl-10 text-dense text-muted max-md:pl-0">
      <ActivityIcon activity={activity} />
      <span role="status" className="min-w-0 truncate">
        {isLost
          ? 'Connection lost. Trying again…'
          : retry
            ? `${retry.reason}. Trying again, attempt ${retry.attempt + 1}…`
            : words}
      </span>
      {/* beside what is read aloud: nobody wants to hear every second */}
      {works && !isLost && tookMs >= shownAfterMs && (
        <span className="shrink-0 tabular">· {formatDuration(tookMs)}</span>
      )}
    </p>
  )
}

/** When the last thing happened that is known: the end of a step, or the beginning of the turn. */
function lastMoment(turn: Turn | undefined): number {
  const last = turn?.steps.at(-1)
  if (last) return new Date(last.startedAt).getTime() + last.durationMs
  return turn?.startedAt ? new Date(turn.startedAt).getTime() : Date.now()
}
