import type { AgentStatus } from '@coherex/contract'
import { Archive, CirclePause, CircleCheck, PencilLine } from 'lucide-react'
import { Pill } from '../../ui/pill.tsx'

const looks = {
  draft: { tone: 'amber', icon: <PencilLine aria-hidden /> },
  active: { tone: 'green', icon: <CircleCheck aria-hidden /> },
  paused: { tone: 'grey', icon: <CirclePause aria-hidden /> },
  archived: { tone: 'grey', icon: <Archive aria-hidden /> },
} as const

export function AgentStatusPill({ status }: { status: AgentStatus }) {
  return <Pill {...looks[status]}>{status}</Pill>
}
