import type { SkillState, SkillVersionState } from '@coherex/contract'
import { Archive, Ban, CircleCheck, CirclePause } from 'lucide-react'
import { Pill } from '../../ui/pill.tsx'

const looks = {
  active: { tone: 'green', icon: <CircleCheck aria-hidden /> },
  approved: { tone: 'green', icon: <CircleCheck aria-hidden /> },
  proposed: { tone: 'amber', icon: <CirclePause aria-hidden /> },
  rejected: { tone: 'grey', icon: <Ban aria-hidden /> },
  archived: { tone: 'grey', icon: <Archive aria-hidden /> },
} as const

export function SkillStatePill({ state }: { state: SkillState | SkillVersionState }) {
  return <Pill {...looks[state]}>{state}</Pill>
}
