import { CoherexError, type ErrorCode, type Run } from '@coherex/contract'

/** What a script can act on; documented in docs/cli.md. */
export const exitCode = {
  ok: 0,
  failure: 1,
  usage: 2,
  unauthenticated: 3,
  unreachable: 4,
  forbidden: 5,
  notFound: 6,
  timeout: 124,
  cancelled: 130,
} as const

const codeOf: Record<ErrorCode, number> = {
  invalid_input: exitCode.usage,
  unauthenticated: exitCode.unauthenticated,
  forbidden: exitCode.forbidden,
  not_found: exitCode.notFound,
  // only a command line of another version than the server asks that way
  method_not_allowed: exitCode.failure,
  conflict: exitCode.failure,
  too_large: exitCode.failure,
  quota_exceeded: exitCode.failure,
  internal: exitCode.failure,
  unavailable: exitCode.unreachable,
}

export function exitCodeOf(error: unknown): number {
  return error instanceof CoherexError ? codeOf[error.code] : exitCode.failure
}

/** As a shell would tell of a program that ran here. */
export function exitCodeOfRun({ status, error }: Run): number {
  if (status === 'cancelled') return exitCode.cancelled
  if (status === 'succeeded') return exitCode.ok
  if (error?.kind === 'timeout') return exitCode.timeout
  // what the program itself ended with; nothing that failed ends with 0
  return error?.kind === 'runtime' && error.exitCode ? error.exitCode : exitCode.failure
}
