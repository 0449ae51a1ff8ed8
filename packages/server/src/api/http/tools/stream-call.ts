import type { Run } from '@coherex/contract'
import type { Context } from 'hono'
import type { Log } from '../../../base/index.ts'
import type { CallOptions } from '../../../tools/index.ts'
import { tellError } from '../answers/answer-error.ts'
import { streamEvents } from '../answers/stream-events.ts'
import type { Env } from '../requests/request-context.ts'

type Call = (options: CallOptions) => Promise<{ output: unknown; run: Run }>

/** A call as it happens: the id of its run once it began, by which its output is followed, and at the end what came of it. */
export function streamCall(context: Context<Env>, log: Log, call: Call): Response {
  return streamEvents(context, async (send) => {
    try {
      send('call-end', await call({ onStart: (runId) => send('call-start', { runId }) }))
    } catch (error) {
      const { code, message, details } = tellError(log, error, context)
      send('call-error', { code, message, details })
    }
  })
}
