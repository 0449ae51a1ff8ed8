import { CoherexError, type ExecutionSummary } from '@coherex/contract'
import type { TeamCaller } from '../../access/index.ts'
import type { Agents } from '../../agents/index.ts'
import type { Runs } from '../../runs/index.ts'
import { readExecutions, type ExecutionDeps } from './list-executions.ts'

export interface RetryDeps extends ExecutionDeps {
  runs: Runs
  agents: Agents
}

/** The same again: another answer to the same question, or another run of the same program. */
export async function retryExecution(deps: RetryDeps, caller: TeamCaller, id: string): Promise<ExecutionSummary> {
  const kind = id.startsWith('turn_') ? 'turn' : 'run'
  const [before] = await readExecutions(deps, caller.teamId, [{ kind, id }])
  if (!before) throw new CoherexError('not_found', `There is no such ${kind}`)
  if (!before.endedAt) throw new CoherexError('conflict', `This ${kind} is still under way: stop it first, or wait`)
  const next = kind === 'turn' ? await deps.agents.turns.retry(caller, id) : await retryRun(deps, caller, before)
  const [summary] = await readExecutions(deps, caller.teamId, [{ kind, id: next.id }])
  if (!summary) throw new Error(`${kind} ${next.id} was begun and is not there`)
  return summary
}

function retryRun({ runs }: RetryDeps, caller: TeamCaller, { id, startedBy, sandboxId }: ExecutionSummary) {
  if (startedBy.kind === 'agent' && sandboxId === null) {
    throw new CoherexError(
      'conflict',
      'This program called the tools of an agent, which it has not got here: retry the turn',
    )
  }
  return runs.retry(caller, id)
}
