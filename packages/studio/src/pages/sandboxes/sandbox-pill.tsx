import type { Sandbox } from '@coherex/contract'
import { Circle, Square } from 'lucide-react'
import { Pill, StatusPill } from '../../ui/pill.tsx'

interface SandboxPillProps {
  sandbox: Sandbox
  isRunning?: boolean
}

/** Awake is no work under way: only a cell that runs turns. */
export function SandboxPill({ sandbox: { status, sessions }, isRunning = false }: SandboxPillProps) {
  if (status === 'sleeping') return <StatusPill status="sleeping" />
  if (status === 'ended') return <Pill icon={<Square aria-hidden />}>ended</Pill>
  if (isRunning || sessions.some((session) => session.status === 'running')) return <StatusPill status="running" />
  return (
    <Pill tone="green" icon={<Circle aria-hidden className="fill-current" />}>
      awake
    </Pill>
  )
}
