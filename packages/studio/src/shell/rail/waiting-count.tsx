import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useMe } from '../../data/access/me.ts'
import { inboxCountQuery } from '../../data/inbox.ts'
import { classNames } from '../../ui/class-names.ts'
import { setTitleCount } from '../page-title.ts'

/** How much waits for me, beside the inbox and in the name of the browser's tab. */
export function WaitingCount({ className }: { className?: string }) {
  const { team } = useMe()
  const { data } = useQuery({ ...inboxCountQuery, enabled: team !== null })
  const shown = team && data?.count ? `${data.count}${data.isMore ? '+' : ''}` : ''
  useEffect(() => setTitleCount(shown), [shown])
  if (!shown) return null
  return (
    <span
      className={classNames(
        'flex h-4.5 min-w-4.5 items-center justify-center rounded-full bg-amber-soft px-1 text-[11px] font-semibold text-amber tabular',
        className,
      )}
    >
      {shown}
      <span className="sr-only"> waiting</span>
    </span>
  )
}
