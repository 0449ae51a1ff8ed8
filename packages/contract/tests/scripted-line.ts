import type { SignalLike } from '../src/follow/pause.ts'
import type { StreamedResponse } from '../src/follow/persist.ts'
import { createClient, createOpener } from '../src/wire/client.ts'

export interface Asked {
  method: string
  path: string
  /** The Last-Event-ID. */
  last: string | undefined
  signal: SignalLike
}

/** What a server does with one request: answers all of it, is cut off after a part, or stays silent after it. */
export type Answer = { status?: number; body?: string } | { cut: string } | { open: string }

/** A line to a server that follows a script, for tests. */
export function lineTo(answer: (asked: Asked) => Answer) {
  const server = { baseUrl: '', fetch }
  return { open: createOpener(server), client: createClient(server) }

  async function fetch(
    path: string,
    { method, headers, signal }: { method: string; headers: Record<string, string>; signal?: SignalLike },
  ): Promise<StreamedResponse> {
    const asked = { method, path, last: headers['last-event-id'], signal: signal ?? new AbortController().signal }
    asked.signal.throwIfAborted()
    return toResponse(answer(asked), asked.signal)
  }
}

function toResponse(answer: Answer, signal: SignalLike): StreamedResponse {
  const status = 'status' in answer ? (answer.status ?? 200) : 200
  const text = 'cut' in answer ? answer.cut : 'open' in answer ? answer.open : (answer.body ?? '')
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(text))
      signal.addEventListener('abort', () => controller.error(new Error('aborted')))
    },
    // after what was sent has been read
    pull(controller) {
      if ('cut' in answer) controller.error(new Error('cut'))
      else if (!('open' in answer)) controller.close()
    },
  })
  const { headers } = new Response()
  return { ok: status < 400, status, headers, body: status === 204 ? null : body, text: async () => text }
}
