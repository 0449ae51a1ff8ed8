import type { Context } from 'hono'
import type { Log } from '../../../base/index.ts'
import type { Env } from '../requests/request-context.ts'
import { tellError } from './answer-error.ts'
import { streamEvents } from './stream-events.ts'

const sayEveryMs = 200

type Work<Answer> = (options: { signal: AbortSignal; onProgress?: (line: string) => void }) => Promise<Answer>

/**
 * Answers when the work is done. Whoever accepts an event stream hears how far it is meanwhile: `progress` with a line in plain
 * words, and at the end `end` with the answer or `error` with why there is none.
 */
export async function answerWithProgress<Answer extends object>(
  context: Context<Env>,
  log: Log,
  work: Work<Answer>,
): Promise<Answer | Response> {
  const streams = context.req.header('accept')?.includes('text/event-stream') ?? false
  if (!streams) return work({ signal: context.req.raw.signal })
  return streamEvents(context, async (send, signal) => {
    let last: string | undefined
    const say = () => {
      if (last !== undefined) send('progress', { line: last })
      last = undefined
    }
    const timer = setInterval(say, sayEveryMs)
    try {
      const answer = await work({ signal, onProgress: (line) => void (last = line) })
      send('end', answer)
    } catch (error) {
      // nobody is there to hear it
      if (signal.aborted) return
      const { code, message, details } = tellError(log, error, context)
      send('error', { code, message, details })
    } finally {
      clearInterval(timer)
    }
  })
}
