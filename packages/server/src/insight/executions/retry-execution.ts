import { CoherexError, type ExecutionSummary } from '@coherex/contract'
import type { TeamCaller } from '../../access/index.ts'
import type { Agents } from '../../agents/index.ts'
import type { Runs } from '../../runs/index.ts'
import { approveRuns } from './approve-runs.ts'
import { readExecutions, type ExecutionDeps } from './list-executions.ts'

export interface RetryDeps extends ExecutionDeps {
  runs: Runs
  agents: Agents
}

/** The same again: another answer to the same question, or another run of the same program. */
export async function retryExecution(
  deps: RetryDeps,
  caller: TeamCaller,
  { id, approve }: { id: string; approve?: readonly string[] | undefined },
): Promise<ExecutionSummary> {
  const kind = id.startsWith('turn_') ? 'turn' : 'run'
  const [before] = await readExecutions(deps, caller.teamId, [{ kind, id }])
  if (!before) throw new CoherexError('not_found', `There is no such ${kind}`)
  if (!before.endedAt) throw new CoherexError('conflict', `This ${kind} is still under way: stop it first, or wait`)
  if (kind === 'run') {
    const refusal = refusesRetry(before)
    if (refusal) throw new CoherexError('conflict', refusal)
    await approveRuns(deps, caller, { runIds: [id], approve })
  }
  const next = kind === 'turn' ? await deps.agents.turns.retry(caller, id) : await deps.runs.retry(caller, id)
  const [summary] = await readExecutions(deps, caller.teamId, [{ kind, id: next.id }])
  if (!summary) throw new Error(`${kind} ${next.id} was begun and is not there`)
  return summary
}

/** Why a run cannot be done again by itself; undefined when it can. */
export function refusesRetry({ startedBy, sandboxId }: ExecutionSummary): string | undefined {
  if (startedBy.kind !== 'agent' || sandboxId !== null) return undefined
  return 'This program called the tools of an agent, which it has not got here: retry the turn'
}
