import type { Timeline } from '@coherex/contract'
import { findOpenCalls, readTurn } from '../../agents/index.ts'
import { isDead } from './execution-status.ts'
import { findPhases } from './find-phases.ts'
import { findSteps } from './find-steps.ts'
import type { ExecutionDeps } from './list-executions.ts'
import { selectTimelineRows } from './timeline-store.ts'

/** A turn as it went, or goes: what it waited for, its steps, their calls, and what those began. */
export async function readTimeline(
  { database, liveRun }: ExecutionDeps,
  teamId: string,
  id: string,
): Promise<Timeline> {
  const turn = await readTurn(database, teamId, id)
  const runIds = turn.steps.flatMap(({ calls }) => calls.flatMap(({ runId }) => runId ?? []))
  const rows = await database.transaction({ team: teamId }, (transaction) =>
    selectTimelineRows(transaction, teamId, { id, threadId: turn.threadId, runIds }),
  )
  const runs = rows.runs.map((run) => ({ ...run, status: liveRun(run)?.status ?? run.status }))
  const phases = findPhases(turn, rows.history)
  const openCalls = findOpenCalls(rows.parts as Parameters<typeof findOpenCalls>[0])
  const [retries, continuations] = [
    rows.later.filter((one) => one.retry_of === id),
    rows.later.filter((one) => one.retry_of !== id),
  ]
  return {
    turn,
    input: rows.question,
    output: rows.answer,
    isDead: isDead(turn.ending),
    sandboxId: rows.sandbox_id,
    phases,
    steps: findSteps(turn, phases, { ...rows, runs, openCalls }),
    retriedBy: retries.map((one) => one.id),
    continuedBy: continuations.map((one) => one.id),
  }
}
