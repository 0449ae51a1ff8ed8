import type { ExecutionSummary, Page, Timeline } from '@coherex/contract'
import type { TeamCaller } from '../../access/index.ts'
import type { Agents } from '../../agents/index.ts'
import type { Database } from '../../base/index.ts'
import type { Runs } from '../../runs/index.ts'
import type { ExecutionFilters } from './execution-filters.ts'
import { listExecutions } from './list-executions.ts'
import { readTimeline } from './read-timeline.ts'
import { retryExecution, type RetryDeps } from './retry-execution.ts'

export type Executions = ReturnType<typeof createExecutions>

/** Turns and runs in one list, for doors. */
export function createExecutions({ database, runs, agents }: { database: Database; runs: Runs; agents: Agents }) {
  const deps: RetryDeps = { database, runs, agents, liveRun: (teamId, id) => runs.live(teamId, id) }

  return {
    list: (
      teamId: string,
      query: ExecutionFilters & { limit: number; cursor?: string | undefined },
    ): Promise<Page<ExecutionSummary>> => listExecutions(deps, teamId, query),
    timeline: (teamId: string, id: string): Promise<Timeline> => readTimeline(deps, teamId, id),
    retry: (caller: TeamCaller, id: string): Promise<ExecutionSummary> => retryExecution(deps, caller, id),
  }
}
