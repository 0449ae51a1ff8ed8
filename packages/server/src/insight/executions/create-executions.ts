import type { ExecutionAgain, ExecutionSummary, FixRequest, Page, Timeline } from '@coherex/contract'
import type { TeamCaller } from '../../access/index.ts'
import type { Agents } from '../../agents/index.ts'
import type { Database } from '../../base/index.ts'
import type { LiveRun, Rerun, RerunRequest, Runs, SandboxVerbs } from '../../runs/index.ts'
import { approveRuns } from './approve-runs.ts'
import type { ExecutionFilters } from './execution-filters.ts'
import { listExecutions } from './list-executions.ts'
import { previewRetry } from './preview-retry.ts'
import { readTimeline } from './read-timeline.ts'
import { retryExecution, type RetryDeps } from './retry-execution.ts'

interface Approved {
  /** Hashes of the approvals that a person gives again. */
  approve?: readonly string[] | undefined
}

export type Executions = ReturnType<typeof createExecutions>

/** Turns and runs in one list, for doors. */
export function createExecutions({
  database,
  runs,
  sandboxVerbs,
  agents,
}: {
  database: Database
  runs: Runs
  sandboxVerbs: SandboxVerbs
  agents: Agents
}) {
  const deps: RetryDeps = { database, runs, agents, liveRun: (found) => runs.liveOf(found) }

  return {
    list: (
      teamId: string,
      query: ExecutionFilters & { limit: number; cursor?: string | undefined },
    ): Promise<Page<ExecutionSummary>> => listExecutions(deps, teamId, query),
    timeline: (teamId: string, id: string): Promise<Timeline> => readTimeline(deps, teamId, id),
    again: (teamId: string, id: string): Promise<ExecutionAgain> => previewRetry(deps, teamId, id),
    retry: (caller: TeamCaller, id: string, approve?: readonly string[]): Promise<ExecutionSummary> =>
      retryExecution(deps, caller, { id, approve }),
    /** The program of an ended run in a process sandbox, with more room. */
    async escalate(caller: TeamCaller, id: string, approve?: readonly string[]): Promise<LiveRun> {
      // a run that the caller does not see is none
      await runs.get(caller.teamId, id)
      await approveRuns(deps, caller, { runIds: [id], approve })
      return runs.escalate(caller, id)
    },
    /** The program of a failed run with one of the fixes it carries. */
    async fix(caller: TeamCaller, id: string, { approve, ...fix }: FixRequest & Approved): Promise<LiveRun> {
      // a run that the caller does not see is none
      await runs.get(caller.teamId, id)
      await approveRuns(deps, caller, { runIds: [id], approve })
      return runs.fix(caller, id, fix)
    },
    /** The cells of a sandbox once more, in fresh sessions. */
    async rerunCells(caller: TeamCaller, { approve, ...cells }: RerunRequest & Approved): Promise<Rerun> {
      const runIds = await sandboxVerbs.cellRuns(caller.teamId, cells)
      await approveRuns(deps, caller, { runIds, approve })
      return sandboxVerbs.rerunCells(caller, cells)
    },
  }
}
