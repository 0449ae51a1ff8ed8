import type { ExecutionStatus, RunStatus, TurnEnding, TurnStatus } from '@coherex/contract'

/** One word for one thing: a turn that is done succeeded, one that was stopped was cancelled. */
export function toExecutionStatus(status: TurnStatus | RunStatus): ExecutionStatus {
  if (status === 'done') return 'succeeded'
  return status === 'stopped' ? 'cancelled' : status
}

/** A turn that the server gave up on: it lost its servers too often, or could not be taken up again. */
export function isDead(ending: TurnEnding | null): boolean {
  return ending?.kind === 'interrupted'
}
