import { CoherexError, formatDuration } from '@coherex/contract'

/** Why a run was not started, and when it can be where that is known. */
export function explainRefusal(error: Error): string {
  if (error instanceof CoherexError && error.retryAfterSeconds)
    return `${error.message}. Try again in ${formatDuration(error.retryAfterSeconds * 1000)}.`
  return error.message
}
