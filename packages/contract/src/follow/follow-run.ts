import type { routes } from '../routes/index.ts'
import { readRunEvents } from '../runs/read-run-events.ts'
import type { RunEvent, RunRequest } from '../runs/run.ts'
import type { Client, Opener } from '../wire/client.ts'
import type { SignalLike } from './pause.ts'
import { persist, readConnection, type FollowOptions, type StreamedResponse } from './persist.ts'

/** A way to the server. The routes are given: the studio has them without their schemas. */
export interface Line<Room extends keyof typeof routes, Response extends StreamedResponse = StreamedResponse> {
  open: Opener<Response>
  client: Client
  routes: Pick<typeof routes, Room>
}

/** Starts a run, or takes one by its id, and tells its events up to the end. A stream that breaks off is resumed. */
export function followRun<Response extends StreamedResponse>(
  { open, client, routes: { runs } }: Line<'runs', Response>,
  what: RunRequest | string,
  options: FollowOptions = {},
): AsyncGenerator<RunEvent, void> {
  let id = typeof what === 'string' ? what : undefined
  let last = -1

  const connect = (signal: SignalLike) => {
    const accept = 'text/event-stream'
    return id === undefined
      ? open(runs.create, { body: what as RunRequest }, { signal, headers: { accept } })
      : open(runs.events, { params: { id } }, { signal, headers: { accept, 'last-event-id': String(last) } })
  }

  async function* attempt(heard: () => void): AsyncGenerator<RunEvent, boolean> {
    for await (const { number, event } of readRunEvents(readConnection(connect, options))) {
      heard()
      const isRepeated = number <= last && (event.type === 'run-start' || event.type === 'run-output')
      last = Math.max(last, number)
      if (isRepeated) continue
      if (event.type === 'run-start') id = event.run.id
      yield event
      if (event.type === 'run-end') return true
    }
    // a server that was killed kept fewer events than it told, and its stream ends without the end
    const run = id === undefined ? undefined : await client(runs.get, { params: { id } }, { signal: options.signal })
    if (!run || run.endedAt === null) return false
    yield { type: 'run-end', run }
    return true
  }

  // without its first event a run has no id to resume it by, and to send it again could run it twice
  return persist(attempt, options, () => id !== undefined)
}
