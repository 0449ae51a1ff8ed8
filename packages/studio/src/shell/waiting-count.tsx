import { useQuery } from '@tanstack/react-query'
import { waitingApprovalsQuery } from '../data/approval.ts'
import { useMe } from '../data/me.ts'
import { classNames } from '../ui/class-names.ts'

/** How many questions of agents wait for a person of the team. */
export function WaitingCount({ className }: { className?: string }) {
  const { team } = useMe()
  const { data } = useQuery({ ...waitingApprovalsQuery, enabled: team !== null })
  if (!data?.items.length) return null
  return (
    <span
      className={classNames(
        'flex h-4.5 min-w-4.5 items-center justify-center rounded-full bg-amber-soft px-1 text-[11px] font-semibold text-amber tabular',
        className,
      )}
    >
      {data.items.length}
      {data.nextCursor && '+'}
      <span className="sr-only"> waiting</span>
    </span>
  )
}
