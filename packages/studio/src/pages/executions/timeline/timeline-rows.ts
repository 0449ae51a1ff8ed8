import type { Timeline, TimelineCall, TimelineStep, Use } from '@coherex/contract'
import { exactTime } from '../../../words/relative-time.ts'

export type SpanLook = 'model' | 'first' | 'tool' | 'failed' | 'queued' | 'waiting' | 'sleeping' | 'running' | 'lost'

/** One stretch of a row's bar. */
export interface TimelineSpan {
  look: SpanLook
  fromMs: number
  toMs: number
  /** What it was, for those who hover or cannot see it. */
  words: string
}

export interface TimelineRow {
  key: string
  kind: 'turn' | 'step' | 'call'
  title: string
  status: 'queued' | 'running' | 'waiting' | 'sleeping' | 'succeeded' | 'failed' | 'cancelled'
  spans: TimelineSpan[]
  firstTokenMs: number | null
  tookMs: number | null
  use: Use | null
  /** Said below the title: retries, who decided, why. */
  notes: string[]
  runs: TimelineCall['runs']
  turns: TimelineCall['turns']
}

/** A turn as rows that share one time axis: the turn itself, its steps, and below each step its calls. */
export function toTimelineRows(timeline: Timeline, nowMs: number): TimelineRow[] {
  const rows = [turnRow(timeline, nowMs)]
  for (const step of timeline.steps) {
    rows.push(stepRow(step, nowMs), ...step.calls.map((call) => callRow(call, step, nowMs)))
  }
  return rows
}

const noLinks = { runs: [], turns: [] }

function turnRow({ turn, phases }: Timeline, nowMs: number): TimelineRow {
  const spans = phases.map(({ status, startedAt, endedAt, server, isLost }) => ({
    look: isLost ? ('lost' as const) : status,
    ...toSpan(startedAt, endedAt, nowMs),
    words: isLost
      ? `server ${server ?? ''} stopped responding`
      : server === null
        ? status
        : `running on server ${server}`,
  }))
  const lost = phases.filter(({ isLost }) => isLost).length
  const servers = new Set(phases.flatMap(({ server }) => server ?? [])).size
  return {
    key: 'turn',
    kind: 'turn',
    title: 'Whole turn',
    status: turn.status === 'done' ? 'succeeded' : turn.status === 'stopped' ? 'cancelled' : turn.status,
    spans: spans.filter(({ fromMs, toMs }) => toMs > fromMs),
    firstTokenMs: null,
    tookMs: turn.endedAt ? Date.parse(turn.endedAt) - Date.parse(turn.createdAt) : null,
    use: turn.use,
    notes: [
      ...(lost > 0
        ? [`taken up again after its server stopped responding, ${lost} ${lost === 1 ? 'time' : 'times'}`]
        : []),
      ...(servers > 1 ? [`${servers} servers worked on it`] : []),
    ],
    ...noLinks,
  }
}

function stepRow(step: TimelineStep, nowMs: number): TimelineRow {
  const fromMs = Date.parse(step.startedAt)
  const toMs = step.durationMs === null ? Math.max(fromMs, nowMs) : fromMs + step.durationMs
  // tries that failed come before the one that gave words
  const firstMs = step.firstTokenMs === null ? null : step.retries.length > 0 ? null : fromMs + step.firstTokenMs
  const answering = {
    look: step.status === 'failed' ? ('failed' as const) : ('model' as const),
    toMs,
    words: 'answers',
  }
  return {
    key: `step-${step.number}`,
    kind: 'step',
    title: step.finishReason === 'title' ? 'Names the conversation' : `Step ${step.number}`,
    status: step.status === 'done' ? 'succeeded' : step.status,
    spans:
      firstMs === null
        ? [{ ...answering, fromMs, words: step.model }]
        : [
            { look: 'first', fromMs, toMs: firstMs, words: 'to its first words' },
            { ...answering, fromMs: firstMs },
          ],
    firstTokenMs: step.firstTokenMs,
    tookMs: step.durationMs,
    use: step.use,
    notes: step.retries.map(({ attempt, reason }) => `Try ${attempt} failed: ${reason}`),
    ...noLinks,
  }
}

function callRow(call: TimelineCall, step: TimelineStep, nowMs: number): TimelineRow {
  const { id, tool, status, startedAt, durationMs, approvals, sleep, runs, turns } = call
  const waits = approvals.map((one): TimelineSpan => ({
    look: 'waiting',
    ...toSpan(one.askedAt, one.decidedAt, endOf(call, nowMs)),
    words: 'waits for a person',
  }))
  const sleeps: TimelineSpan[] = sleep
    ? [
        {
          look: 'sleeping',
          ...toSpan(sleep.startedAt, null, Math.min(Date.parse(sleep.until), nowMs)),
          words: 'sleeps',
        },
      ]
    : []
  const worked = workOf(startedAt, durationMs, nowMs)
  const work: TimelineSpan[] = worked ? [{ ...worked, look: status === 'failed' ? 'failed' : 'tool', words: tool }] : []
  return {
    key: `step-${step.number}-${id}`,
    kind: 'call',
    title: tool,
    status: status === 'done' ? 'succeeded' : status,
    spans: [...waits, ...sleeps, ...work],
    firstTokenMs: null,
    tookMs: durationMs,
    use: null,
    notes: [
      ...approvals.map(approvalWords),
      ...(sleep ? [`${status === 'sleeping' ? 'Sleeps' : 'Slept'} until ${exactTime(sleep.until)}`] : []),
    ],
    runs,
    turns,
  }
}

function approvalWords({ status, decidedBy, reason }: TimelineCall['approvals'][number]): string {
  if (status === 'pending') return `Waits for a person: ${reason}`
  return decidedBy ? `${decidedBy} ${status} it` : `The question was ${status}`
}

function workOf(startedAt: string | null, durationMs: number | null, nowMs: number) {
  if (!startedAt) return undefined
  const fromMs = Date.parse(startedAt)
  return { fromMs, toMs: durationMs === null ? Math.max(fromMs, nowMs) : fromMs + durationMs }
}

function endOf({ startedAt }: TimelineCall, nowMs: number): number {
  return startedAt ? Date.parse(startedAt) : nowMs
}

function toSpan(startedAt: string, endedAt: string | null, openMs: number): { fromMs: number; toMs: number } {
  const fromMs = Date.parse(startedAt)
  return { fromMs, toMs: Math.max(fromMs, endedAt ? Date.parse(endedAt) : openMs) }
}
