import type { TimelinePhase, Turn } from '@coherex/contract'
import type { HistoryRow } from './timeline-store.ts'

/** How a turn waited and who worked on it, from its beginning to its end. */
export function findPhases(
  turn: Pick<Turn, 'createdAt' | 'startedAt' | 'endedAt'>,
  history: HistoryRow[],
): TimelinePhase[] {
  const phases: TimelinePhase[] = [begin('queued', turn.createdAt)]
  const servers: string[] = []
  const changes = history.filter((row) => row.kind === 'status')
  for (const { at, details } of changes) {
    const { status, serverId, isLost } = details
    const last = phases.at(-1)
    const time = new Date(at).toISOString()
    if (last) Object.assign(last, { endedAt: time, isLost })
    if (!isPhase(status)) break
    if (status === 'running' && !servers.includes(serverId)) servers.push(serverId)
    phases.push(begin(status, time, status === 'running' ? servers.indexOf(serverId) + 1 : null))
  }
  // from before changes were kept
  if (changes.length === 0 && turn.startedAt) {
    Object.assign(phases[0] ?? {}, { endedAt: turn.startedAt })
    phases.push({ ...begin('running', turn.startedAt, 1), endedAt: turn.endedAt })
  }
  return phases
}

function begin(status: TimelinePhase['status'], startedAt: string, server: number | null = null): TimelinePhase {
  return { status, startedAt, endedAt: null, server, isLost: false }
}

function isPhase(status: string): status is TimelinePhase['status'] {
  return status === 'queued' || status === 'running' || status === 'waiting' || status === 'sleeping'
}
