import { CoherexError } from '@coherex/contract'

// of the file system, and of PostgreSQL
const codes = new Set(['ENOSPC', 'EDQUOT', '53100'])

/** Whether something failed because a disk of the server has no room left. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: unknown }
  return (typeof code === 'string' && codes.has(code)) || isDiskFull(error.cause)
}

/** The end of a sentence about what could not be done. */
export const diskFullReason = "the server's disk is full, and whoever runs it has to make room"

/** What is told of it: nothing is wrong with the request, and it can be sent again. */
export function diskFullError(cause: unknown): CoherexError {
  return new CoherexError('unavailable', `This cannot be done now: ${diskFullReason}`, { retryAfterSeconds: 60, cause })
}
