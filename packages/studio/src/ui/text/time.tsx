import { useEffect, useState } from 'react'
import { exactTime, relativeTime } from '../../words/relative-time.ts'

/** How long ago, kept current; the exact time on hover and for machines. */
export function Time({ at }: { at: string }) {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000)
    return () => clearInterval(timer)
  }, [])
  return (
    <time dateTime={at} title={exactTime(at)} className="whitespace-nowrap">
      {relativeTime(at, Math.max(now, Date.now()))}
    </time>
  )
}
