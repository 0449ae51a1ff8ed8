import type { Activity } from '@coherex/contract'
import { CircleDashed, CirclePause, LoaderCircle, Moon } from 'lucide-react'

interface ActivityIconProps {
  activity: Activity
  /** Read aloud, where no words stand beside it. */
  label?: string
}

/** Only what works turns; what waits stands still. */
export function ActivityIcon({ activity, label }: ActivityIconProps) {
  const name = label === undefined ? { 'aria-hidden': true } : { 'aria-label': label }
  switch (activity) {
    case 'waiting':
      return <CirclePause {...name} className="size-4 shrink-0 text-amber" />
    case 'sleeping':
      return <Moon {...name} className="size-4 shrink-0 text-muted" />
    case 'queued':
      return <CircleDashed {...name} className="size-4 shrink-0 text-muted" />
    case 'idle':
    case 'thinking':
    case 'executing':
      return <LoaderCircle {...name} className="size-4 shrink-0 animate-spin text-blue" />
  }
}
