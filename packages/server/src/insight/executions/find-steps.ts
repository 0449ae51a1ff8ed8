import type { TimelineCall, TimelinePhase, TimelineStep, Turn } from '@coherex/contract'
import { isCallOf } from '../../agents/index.ts'
import { toExecutionStatus } from './execution-status.ts'
import type { TimelineRows } from './timeline-store.ts'

export interface OpenCall {
  id: string
  tool: string
}

type StepRows = Pick<TimelineRows, 'history' | 'approvals' | 'calls' | 'runs' | 'turns'>

/** The steps of a turn with all that their calls began, and the step that is under way or gave nothing. */
export function findSteps(
  turn: Turn,
  phases: readonly TimelinePhase[],
  { openCalls, ...rows }: StepRows & { openCalls: readonly OpenCall[] },
): TimelineStep[] {
  const steps = turn.steps.map((step): TimelineStep => {
    const calls = step.calls.map((call) => toCall(call, rows))
    const { number, model, finishReason, startedAt, durationMs, firstTokenMs, use } = step
    const retries = retriesOf(number, rows)
    return { number, model, status: 'done', finishReason, startedAt, durationMs, firstTokenMs, use, retries, calls }
  })
  const last = steps.at(-1)
  last?.calls.push(...openCalls.map((call) => toOpenCall(call, endOf(last), rows)))

  const isThinking = turn.status === 'running' && openCalls.length === 0
  const hasFailed = turn.ending?.kind === 'model'
  const number = (last?.number ?? 0) + 1
  const retries = retriesOf(number, rows)
  if (!isThinking && !hasFailed && retries.length === 0) return steps
  const startedAt = latest([
    ...phases.filter(({ status }) => status === 'running').map((one) => one.startedAt),
    ...endsOf(last),
  ])
  const durationMs = turn.endedAt ? Date.parse(turn.endedAt) - Date.parse(startedAt) : null
  const status = isThinking ? 'running' : 'failed'
  const open = { finishReason: null, firstTokenMs: null, use: null, calls: [] }
  return [...steps, { number, model: turn.model, status, startedAt, durationMs, retries, ...open }]
}

function toCall(call: Turn['steps'][number]['calls'][number], rows: StepRows): TimelineCall {
  const { id, tool, status, startedAt = null, durationMs, runId } = call
  const links = linksOf(id, rows)
  // a run from before runs named their call
  const known = links.runs.some((run) => run.id === runId) ? [] : rows.runs.filter((run) => run.id === runId).map(toRun)
  return { id, tool, status, startedAt, durationMs, ...links, runs: [...links.runs, ...known] }
}

function toOpenCall({ id, tool }: OpenCall, stepEnd: string, rows: StepRows): TimelineCall {
  const links = linksOf(id, rows)
  const record = rows.calls.find((call) => call.call_id === id)
  // also behind an agent that was asked
  const behind = links.turns.map((one) => one.status)
  if (links.approvals.some((one) => one.status === 'pending') || behind.includes('waiting')) {
    return { id, tool, status: 'waiting', startedAt: null, durationMs: null, ...links }
  }
  if (record?.status === 'sleeping' || behind.includes('sleeping')) {
    return { id, tool, status: 'sleeping', startedAt: null, durationMs: null, ...links }
  }
  const startedAt = record ? toIso(record.begun_at) : stepEnd
  return { id, tool, status: 'running', startedAt, durationMs: null, ...links }
}

function linksOf(callId: string, { approvals, calls, runs, turns }: StepRows) {
  const record = calls.find((call) => call.call_id === callId)
  return {
    runs: runs.filter((run) => isCallOf(callId, run.call_id)).map(toRun),
    turns: turns
      .filter((one) => isCallOf(callId, one.call_id))
      .map(({ id, thread_id: threadId, agent_name: agent, status }) => ({
        id,
        threadId,
        agent,
        status: toExecutionStatus(status),
      })),
    approvals: approvals
      .filter((one) => isCallOf(callId, one.call_id))
      .map((one) => ({
        id: one.id,
        status: one.status,
        reason: one.reason,
        askedAt: toIso(one.created_at),
        decidedAt: one.decided_at && toIso(one.decided_at),
        decidedBy: one.decided_by_name,
      })),
    sleep: record?.wake_at ? { startedAt: toIso(record.begun_at), until: toIso(record.wake_at) } : null,
  }
}

function toRun(run: TimelineRows['runs'][number]): TimelineCall['runs'][number] {
  const { id, status, language, duration_ms: durationMs, sandbox_id: sandboxId } = run
  return { id, status, language, durationMs, sandboxId }
}

function retriesOf(step: number, { history }: StepRows): TimelineStep['retries'] {
  return history.flatMap(({ at, ...row }) =>
    row.kind === 'retry' && row.details.step === step
      ? { at: toIso(at), attempt: row.details.attempt, reason: row.details.reason }
      : [],
  )
}

function endOf({ startedAt, durationMs }: Pick<TimelineStep, 'startedAt' | 'durationMs'>): string {
  return new Date(Date.parse(startedAt) + (durationMs ?? 0)).toISOString()
}

function endsOf(step: TimelineStep | undefined): string[] {
  if (!step) return []
  const calls = step.calls.flatMap(({ startedAt, durationMs }) => (startedAt ? endOf({ startedAt, durationMs }) : []))
  return [endOf(step), ...calls]
}

function latest(moments: string[]): string {
  return moments.reduce((one, other) => (other > one ? other : one), '')
}

function toIso(at: string): string {
  return new Date(at).toISOString()
}
