import {
  Ban,
  Check,
  Circle,
  CircleDashed,
  CirclePause,
  Download,
  LoaderCircle,
  Moon,
  TimerOff,
  X,
  type LucideIcon,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

type Tone = 'grey' | 'blue' | 'green' | 'amber' | 'red' | 'violet'

const tones: Record<Tone, string> = {
  grey: 'bg-grey-soft text-muted',
  blue: 'bg-blue-soft text-blue',
  green: 'bg-green-soft text-green',
  amber: 'bg-amber-soft text-amber',
  red: 'bg-red-soft text-red',
  violet: 'bg-accent-soft text-accent-text',
}

const statuses = {
  queued: { tone: 'grey', icon: CircleDashed },
  loading: { tone: 'blue', icon: Download },
  running: { tone: 'blue', icon: LoaderCircle },
  succeeded: { tone: 'green', icon: Check },
  failed: { tone: 'red', icon: X },
  'timed out': { tone: 'red', icon: TimerOff },
  cancelled: { tone: 'grey', icon: Ban },
  waiting: { tone: 'amber', icon: CirclePause },
  sleeping: { tone: 'grey', icon: Moon },
} satisfies Record<string, { tone: Tone; icon: LucideIcon }>

/** The one vocabulary of states: the same word, icon and colour wherever something runs. */
export type Status = keyof typeof statuses
export const allStatuses = Object.keys(statuses) as Status[]

export function StatusPill({ status }: { status: Status }) {
  const { tone, icon: Icon } = statuses[status]
  return (
    <Pill tone={tone} icon={<Icon aria-hidden className={status === 'running' ? 'animate-spin' : undefined} />}>
      {status}
    </Pill>
  )
}

interface PillProps {
  tone?: Tone
  icon?: ReactNode
  children: ReactNode
}

/** A small word with a colour. The word carries the meaning; without an icon a dot marks the tone. */
export function Pill({ tone = 'grey', icon, children }: PillProps) {
  return (
    <span
      className={classNames(
        'inline-flex h-5 items-center gap-1 rounded-full px-2 text-small font-medium whitespace-nowrap [&_svg]:size-3',
        tones[tone],
      )}
    >
      {icon ?? <Circle aria-hidden className="size-1.5! fill-current" />}
      {children}
    </span>
  )
}
