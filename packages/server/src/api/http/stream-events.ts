import type { Context } from 'hono'
import { streamSSE } from 'hono/streaming'
import type { Env } from './request-context.ts'

const keepAliveMs = 15_000

/** Answers with server-sent events for as long as `tell` goes on. Its signal aborts when the client has gone. */
export function streamEvents(
  context: Context<Env>,
  tell: (send: (event: string, data: object) => void, signal: AbortSignal) => Promise<void>,
): Response {
  // proxies that gather output would undo the stream
  context.header('x-accel-buffering', 'no')
  return streamSSE(context, async (stream) => {
    const gone = new AbortController()
    stream.onAbort(() => gone.abort())
    const timer = setInterval(() => void stream.write(': still here\n\n'), keepAliveMs)
    // at once, so that the client knows it is heard
    let written: Promise<unknown> = stream.write(': here\n\n')
    await tell((event, data) => {
      written = written.then(() => stream.writeSSE({ event, data: JSON.stringify(data) }))
    }, gone.signal).finally(() => clearInterval(timer))
    await written
  })
}
