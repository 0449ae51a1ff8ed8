import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { backoff } from '@coherex/contract'
import pg, { type ClientConfig } from 'pg'
import { z } from 'zod'
import { actForNobody } from './database/act-for.ts'
import type { Log } from './log.ts'

const channel = 'coherex'
const waits = { firstMs: 100, longestMs: 5_000 }

/** Something happened to a row. Ids only: whoever cares fetches the row, within their own rights. */
const busEvent = z.object({
  /** Absent for what concerns a person across teams. */
  teamId: z.string().nullable(),
  type: z.string(),
  id: z.string().nullable(),
  /** Who may hear of it in the team: this person and, of what they decide, its admins. Everyone without it. */
  only: z.object({ personId: z.string(), admins: z.boolean() }).optional(),
})
export type BusEvent = z.infer<typeof busEvent>

const notification = busEvent.extend({ from: z.string() })

export interface EventBus {
  /** Tells this process at once, and every other server process on this database. */
  publish(event: BusEvent): Promise<void>
  subscribe(listener: (event: BusEvent) => void): () => void
  close(): Promise<void>
}

/** The bus for those who only listen. */
export type EventFeed = Pick<EventBus, 'subscribe'>

/** Events between server processes over LISTEN/NOTIFY. A lost connection is made again; what was said meanwhile is lost,
 * and subscribers hear a `reconnected` event so that they look again. */
export async function openEventBus(app: ClientConfig, log: Log): Promise<EventBus> {
  const listeners = new Set<(event: BusEvent) => void>()
  const stop = new AbortController()
  const ownName = randomUUID()
  let current: pg.Client | undefined
  let said = Promise.resolve()

  const tell = (event: BusEvent) => {
    for (const listener of listeners) {
      try {
        // whoever publishes it does so for themselves, and not for those who hear of it
        actForNobody(() => listener(event))
      } catch (error) {
        // one listener's fault must not keep the event from the others
        log.error({ error, type: event.type }, 'an event listener failed')
      }
    }
  }

  async function listen(): Promise<void> {
    const client = new pg.Client({ ...app, application_name: 'coherex events', keepAlive: true })
    client.on('notification', ({ payload }) => {
      const heard = notification.safeParse(parseJson(payload ?? ''))
      if (!heard.success || heard.data.from === ownName) return
      const { from: _, ...event } = heard.data
      tell(event)
    })
    client.on('error', (error) => log.warn({ error }, 'the event connection failed'))
    try {
      await client.connect()
      await client.query(`LISTEN ${channel}`)
    } catch (error) {
      await client.end().catch(() => undefined) // it may never have been connected
      throw error
    }
    if (stop.signal.aborted) return client.end()
    current = client
    // only now: an attempt that failed also ends, and is made again by the loop it came from
    client.once('end', () => void reconnect())
  }

  async function reconnect(): Promise<void> {
    for (let failures = 1; !stop.signal.aborted; failures++) {
      await delay(backoff(failures, waits), undefined, { signal: stop.signal, ref: false }).catch(() => undefined) // closing
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
    publish(event) {
      tell(event)
      const payload = JSON.stringify({ ...event, from: ownName })
      // one after the other: a connection does one thing at a time
      said = said.then(async () => {
        // the connection may be away: then others learn of it when they look again
        await current?.query('SELECT pg_notify($1, $2)', [channel, payload]).catch((error: unknown) => {
          log.warn({ error }, 'an event was not published')
        })
      })
      return said
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
