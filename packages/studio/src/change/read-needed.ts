import { CoherexError, type NeededApproval } from '@coherex/contract'

/** The approvals that the server asks for before something runs again. */
export function readNeeded(error: Error | null): NeededApproval[] | undefined {
  if (!(error instanceof CoherexError)) return undefined
  return (error.details as { approvals?: NeededApproval[] } | undefined)?.approvals
}
