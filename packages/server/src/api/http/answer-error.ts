import { CoherexError } from '@coherex/contract'
import type { Context } from 'hono'
import type { Log } from '../../base/index.ts'
import { withoutToken } from './observe-requests.ts'
import type { Env } from './request-context.ts'

/** The one place where an error becomes an answer. What is not meant for callers is logged and not told. */
export function createErrorAnswer(log: Log) {
  return (error: unknown, context: Context<Env>): Response => {
    const known = toKnown(error)
    const requestId = context.get('requestId')
    if (!known || known.code === 'internal') {
      log.error(
        { error, requestId, method: context.req.method, path: withoutToken(context.req.path) },
        'a request failed',
      )
    }
    const told = known ?? new CoherexError('internal', `Something went wrong on our side; the request was ${requestId}`)
    if (told.retryAfterSeconds) context.header('retry-after', String(told.retryAfterSeconds))
    const { code, message, details } = told
    return context.json({ error: { code, message, ...(details === undefined ? {} : { details }) } }, told.status as 500)
  }
}

function toKnown(error: unknown): CoherexError | undefined {
  if (error instanceof CoherexError) return error
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
