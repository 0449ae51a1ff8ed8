import { setTimeout as delay } from 'node:timers/promises'
import pg, { type ClientConfig } from 'pg'
import { z } from 'zod'
import type { Log } from './log.ts'

const channel = 'coherex'

/** Something happened to a row. Ids only: whoever cares fetches the row, within their own rights. */
export const busEvent = z.object({
  /** Absent for what concerns a person across teams. */
  teamId: z.string().nullable(),
  type: z.string(),
  id: z.string().nullable(),
})
export type BusEvent = z.infer<typeof busEvent>

export interface EventBus {
  /** Tells every server process on this database, this one included. */
  publish(event: BusEvent): Promise<void>
  subscribe(listener: (event: BusEvent) => void): () => void
  close(): Promise<void>
}

/** Events between server processes over LISTEN/NOTIFY. A lost connection is made again; what was said meanwhile is lost,
 * and subscribers hear a `reconnected` event so that they look again. */
export async function openEventBus(app: ClientConfig, log: Log): Promise<EventBus> {
  const listeners = new Set<(event: BusEvent) => void>()
  const stop = new AbortController()
  let current: pg.Client | undefined

  const tell = (event: BusEvent) => {
    for (const listener of listeners) {
      try {
        listener(event)
      } catch (error) {
        // one listener's fault must not keep the event from the others
        log.error({ error, type: event.type }, 'an event listener failed')
      }
    }
  }

  async function listen(): Promise<void> {
    const client = new pg.Client({ ...app, application_name: 'coherex events', keepAlive: true })
    client.on('notification', ({ payload }) => {
      const event = busEvent.safeParse(parseJson(payload ?? ''))
      if (event.success) tell(event.data)
    })
    client.on('error', (error) => log.warn({ error }, 'the event connection failed'))
    client.once('end', () => void reconnect())
    await client.connect()
    await client.query(`LISTEN ${channel}`)
    current = client
  }

  async function reconnect(): Promise<void> {
    for (let pauseMs = 100; !stop.signal.aborted; pauseMs = Math.min(pauseMs * 2, 5000)) {
      await delay(pauseMs, undefined, { signal: stop.signal, ref: false }).catch(() => undefined) // closing
      if (stop.signal.aborted) return
      try {
        await listen()
        tell({ teamId: null, type: 'reconnected', id: null })
        return
      } catch (error) {
        log.warn({ error }, 'cannot listen for events yet')
      }
    }
  }

  await listen()
  return {
    async publish(event) {
      // the listening connection may be away: then others learn of it when they look again
      await current?.query('SELECT pg_notify($1, $2)', [channel, JSON.stringify(event)]).catch((error: unknown) => {
        log.warn({ error }, 'an event was not published')
      })
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async close() {
      stop.abort()
      await current?.end()
    },
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
