import type { Context } from 'hono'
import { stream } from 'hono/streaming'
import type { StoredTurn, Turns } from '../../../agents/index.ts'
import type { Env } from '../requests/request-context.ts'

const keepAliveMs = 15_000

/** UI message stream v1, with ids, so that a reader who lost the line goes on where it was. */
export function streamTurn(context: Context<Env>, turns: Turns, turn: StoredTurn, from: number): Response {
  context.header('content-type', 'text/event-stream')
  context.header('cache-control', 'no-store')
  context.header('x-vercel-ai-ui-message-stream', 'v1')
  // proxies that gather output would undo the stream
  context.header('x-accel-buffering', 'no')
  context.header('x-turn-id', turn.id)
  return stream(context, async (out) => {
    const gone = new AbortController()
    out.onAbort(() => gone.abort())
    const timer = setInterval(() => void out.write(': still here\n\n'), keepAliveMs)
    try {
      for await (const { number, chunk } of turns.stream(turn, from, gone.signal)) {
        await out.write(`id: ${turn.id}:${number}\ndata: ${JSON.stringify(chunk)}\n\n`)
      }
      await out.write('data: [DONE]\n\n')
    } finally {
      clearInterval(timer)
    }
  })
}
