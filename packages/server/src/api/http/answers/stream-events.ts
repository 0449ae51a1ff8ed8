import type { Context } from 'hono'
import { streamSSE } from 'hono/streaming'
import type { Env } from '../requests/request-context.ts'
import { createEventWriter } from './event-writer.ts'

const keepAliveMs = 15_000

/**
 * Answers with server-sent events for as long as `tell` goes on. Its signal aborts when the client has gone. With `begin` it
 * says that from now on nothing is missed, which the client hears as the first of all.
 */
export function streamEvents(
  context: Context<Env>,
  tell: (send: (event: string, data: object) => void, signal: AbortSignal, begin: () => void) => Promise<void>,
): Response {
  // proxies that gather output would undo the stream
  context.header('x-accel-buffering', 'no')
  return streamSSE(context, async (stream) => {
    const gone = new AbortController()
    stream.onAbort(() => gone.abort())
    const timer = setInterval(() => void stream.write(': still here\n\n'), keepAliveMs)
    const events = createEventWriter(stream, context.env.outgoing)
    const send = (event: string, data: object) => events.write({ event, data: JSON.stringify(data) })
    const begin = () => events.say(': here\n\n')
    await tell(send, gone.signal, begin).finally(() => clearInterval(timer))
    await events.flush()
  })
}
