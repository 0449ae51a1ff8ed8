import { CoherexError, fixesOf, formatDuration } from '@coherex/contract'

/** Why a run was not started, and when it can be where that is known. */
export function explainRefusal(error: Error): string {
  if (error instanceof CoherexError && error.retryAfterSeconds)
    return `${error.message}. Try again in ${formatDuration(error.retryAfterSeconds * 1000)}.`
  const [fix] = fixesOf(error).filter(({ value }) => !error.message.includes(value))
  return fix ? `${error.message}. ${fix.label}: ${fix.value}` : error.message
}
