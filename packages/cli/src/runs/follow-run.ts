import { setTimeout as delay } from 'node:timers/promises'
import {
  CoherexError,
  readRunEvents,
  routes,
  type NumberedRunEvent,
  type RunEvent,
  type RunRequest,
} from '@coherex/contract'
import type { Connection } from '../connect.ts'

export interface FollowOptions {
  /** Told once for each time the stream broke off. */
  onDrop?: () => void
  /** The server says something at least every 15 s. */
  quietMs?: number
  /** How long without the server before giving up. */
  patienceMs?: number
}

/** Starts a run, or takes one by its id, and tells its events up to the end. A stream that breaks off is resumed. */
export async function* followRun(
  { open, client }: Pick<Connection, 'open' | 'client'>,
  what: RunRequest | string,
  { onDrop, quietMs = 45_000, patienceMs = 60_000 }: FollowOptions = {},
): AsyncGenerator<RunEvent> {
  let id = typeof what === 'string' ? what : undefined
  let last = -1
  let tries = 0
  let lostAt = 0

  const openStream = (signal: AbortSignal): Promise<Response> => {
    const headers = { accept: 'text/event-stream', 'last-event-id': String(last) }
    return id === undefined
      ? open(routes.runs.create, { body: what as RunRequest }, { signal, headers: { accept: headers.accept } })
      : open(routes.runs.events, { params: { id } }, { signal, headers })
  }

  for (;;) {
    let failure: unknown
    try {
      for await (const { number, event } of readStream(openStream, quietMs)) {
        tries = 0
        last = number
        if (event.type === 'run-start') id = event.run.id
        yield event
        if (event.type === 'run-end') return
      }
      // a server that was killed kept fewer events than it told, and its stream ends without the end
      const run = id === undefined ? undefined : await client(routes.runs.get, { params: { id } })
      if (run && run.endedAt !== null) {
        yield { type: 'run-end', run }
        return
      }
    } catch (error) {
      if (error instanceof CoherexError && error.code !== 'unavailable' && error.code !== 'quota_exceeded') throw error
      failure = error
    }
    if (id === undefined) throw toUnknownStart(failure)

    if (tries === 0) {
      lostAt = Date.now()
      onDrop?.()
    }
    if (Date.now() - lostAt > patienceMs) {
      throw new CoherexError(
        'unavailable',
        `The server is gone; coherex runs logs ${id} -f shows the run when it is back`,
      )
    }
    await delay(Math.min(5000, 250 * 2 ** tries++))
  }
}

/** Without its first event a run has no id to resume it by, and to send it again could run it twice. */
function toUnknownStart(failure: unknown): CoherexError {
  if (failure instanceof CoherexError) return failure
  return new CoherexError(
    'unavailable',
    'The connection broke before the run had an id; coherex runs list shows whether it began',
    { cause: failure },
  )
}

async function* readStream(
  openStream: (signal: AbortSignal) => Promise<Response>,
  quietMs: number,
): AsyncGenerator<NumberedRunEvent> {
  const silence = new AbortController()
  const timer = setTimeout(() => silence.abort(), quietMs)
  try {
    const { body } = await openStream(silence.signal)
    if (body) yield* readRunEvents(touching(body, () => timer.refresh()))
  } finally {
    clearTimeout(timer)
    // whoever stops listening lets go of the connection
    silence.abort()
  }
}

async function* touching(chunks: AsyncIterable<Uint8Array>, touch: () => void): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    touch()
    yield chunk
  }
}
