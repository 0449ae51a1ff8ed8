import type { TimelinePhase } from '@coherex/contract'

/** Where a moment stands between the beginning (0) and the end (1) of a drawing. */
export interface TimeScale {
  startMs: number
  endMs: number
  at: (ms: number) => number
}

// a rest takes no more of the drawing than this share of the work: a week of sleep must not hide a second of work
const mostOfRest = 0.15

/** Time as it is drawn: work at one pace, long rests cut short. */
export function createTimeScale(
  phases: readonly Pick<TimelinePhase, 'status' | 'startedAt' | 'endedAt'>[],
  nowMs: number,
): TimeScale {
  const spans = phases.map(({ status, startedAt, endedAt }) => {
    const from = Date.parse(startedAt)
    return { isWork: status === 'running', from, to: Math.max(from, endedAt ? Date.parse(endedAt) : nowMs) }
  })
  const startMs = spans[0]?.from ?? nowMs
  const endMs = spans.at(-1)?.to ?? nowMs
  const workMs = spans.reduce((sum, { isWork, from, to }) => (isWork ? sum + to - from : sum), 0)
  const mostMs = Math.max(1, workMs * mostOfRest)
  let total = 0
  const drawn = spans.map((span) => {
    const length = span.to - span.from
    const width = span.isWork || workMs === 0 ? length : Math.min(length, mostMs)
    total += width
    return { ...span, before: total - width, width }
  })
  const at = (ms: number): number => {
    const span = drawn.findLast(({ from }) => from <= ms) ?? drawn[0]
    if (!span || total === 0) return 0
    const part = span.to === span.from ? 0 : Math.min(1, Math.max(0, (ms - span.from) / (span.to - span.from)))
    return (span.before + part * span.width) / total
  }
  return { startMs, endMs, at }
}
