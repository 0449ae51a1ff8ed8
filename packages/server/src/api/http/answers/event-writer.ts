import type { ServerResponse } from 'node:http'
import type { SSEMessage, SSEStreamingApi } from 'hono/streaming'
import { holdBehind } from './guard-answers.ts'

export interface EventWriter {
  /** Writes an event after those before it. */
  write(message: SSEMessage & { data: string }): void
  /** The same for a comment. */
  say(text: string): void
  /** Resolves when the client has taken all there is so far, or has gone. */
  flush(): Promise<unknown>
}

// a reader this far behind does not read
const largestBacklog = 4 * 1024 * 1024

/**
 * Events on their way to one client, in order. Those that a slow reader leaves waiting are text and nothing else, which is counted with
 * the answers that wait: what they were made of, such as a run with all it printed, is not held for it. One that leaves too many waiting is cut.
 */
export function createEventWriter(stream: SSEStreamingApi, response: ServerResponse): EventWriter {
  let written: Promise<unknown> = Promise.resolve()
  let waiting = 0
  const add = (bytes: number, send: () => Promise<unknown>) => {
    // it comes again, and reads on from what is kept
    if (waiting > largestBacklog) {
      written = Promise.resolve()
      stream.abort()
      return void response.destroy()
    }
    waiting += bytes
    const letGo = holdBehind(response, bytes)
    written = written.then(send).finally(() => {
      waiting -= bytes
      letGo()
    })
  }
  return {
    write: (message) => add(message.data.length, () => stream.writeSSE(message)),
    say: (text) => add(text.length, () => stream.write(text)),
    flush: () => written,
  }
}
