import { CoherexError } from '@coherex/contract'
import type { Context } from 'hono'
import { diskFullError, isDiskFull, type Log } from '../../../base/index.ts'
import { withoutToken } from '../requests/observe-requests.ts'
import type { Env } from '../requests/request-context.ts'
import { challengeOf, isMcpPath } from './challenge.ts'
import { isOpenAiPath, toChatError } from './chat-error.ts'

/** The one place where an error becomes an answer. */
export function createErrorAnswer({ log, publicUrl }: { log: Log; publicUrl: string }) {
  return (error: unknown, context: Context<Env>): Response => {
    const told = tellError(log, error, context)
    // of the answer that was made before something failed
    context.header('content-length', undefined)
    if (told.retryAfterSeconds) context.header('retry-after', String(told.retryAfterSeconds))
    if (isMcpPath(context.req.path)) context.header('www-authenticate', challengeOf(publicUrl, told))
    if (isOpenAiPath(context.req.path)) return context.json(toChatError(told), told.status as 500)
    const { code, message, details } = told
    return context.json({ error: { code, message, ...(details === undefined ? {} : { details }) } }, told.status as 500)
  }
}

/** What a caller hears of an error. What is not meant for callers is logged and not told. */
export function tellError(log: Log, error: unknown, context: Context<Env>): CoherexError {
  const known = toKnown(error)
  const requestId = context.get('requestId')
  // whoever runs the server has to act on a full disk
  if (!known || known.code === 'internal' || isDiskFull(error)) {
    log.error(
      { error, requestId, method: context.req.method, path: withoutToken(context.req.path) },
      'a request failed',
    )
  }
  return known ?? new CoherexError('internal', `Something went wrong on our side; the request was ${requestId}`)
}

function toKnown(error: unknown): CoherexError | undefined {
  if (error instanceof CoherexError) return error
  if (isDiskFull(error)) return diskFullError(error)
  const code = (error as { code?: unknown }).code
  // the database is away: connection refused, lost or closing down
  if (typeof code === 'string' && /^(ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|57P0[123]|08\d{3}|53\d{3})$/.test(code)) {
    return new CoherexError('unavailable', 'The database cannot be reached right now: try again', {
      retryAfterSeconds: 2,
      cause: error,
    })
  }
  const cause = (error as { cause?: unknown }).cause
  return cause === undefined || cause === error ? undefined : toKnown(cause)
}
