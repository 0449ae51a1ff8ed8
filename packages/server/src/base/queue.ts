import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type { ClientConfig } from 'pg'
import { PgBoss, type ConstructorOptions } from 'pg-boss'
import type { Log } from './log.ts'

const schema = 'coherex_queue'
const drainMs = 10_000

/** Tried again three times, then dead with its last error; a worker that falls silent for ten seconds is taken for dead. */
const rules = { retryLimit: 3, retryBackoff: true, retryDelay: 1, expireInSeconds: 300, heartbeatSeconds: 10 }

/** Work that outlives the request, and work by the clock. Every payload names its team; nothing else of it is trusted. */
export interface Queue {
  /** Declares a kind of work and what does it; runs on one of the server processes, again if that one dies. */
  work<Payload extends object>(
    name: string,
    handle: (payload: Payload, signal: AbortSignal) => Promise<void>,
  ): Promise<void>
  /** With a `key`, nothing is sent while work of the same key waits. */
  send(name: string, payload: object, options?: { after?: Date; key?: string }): Promise<void>
  /** Sends `name` by cron, in UTC, however many servers there are. */
  schedule(name: string, cron: string): Promise<void>
  close(): Promise<void>
}

/** Makes or upgrades the queue's tables; only the owner may. */
export async function installQueue(owner: ClientConfig): Promise<void> {
  const boss = new PgBoss({ ...bossConnection(owner), schema, supervise: false, schedule: false, max: 2 })
  boss.on('error', () => undefined) // a failure to start is thrown by start()
  await boss.start()
  await boss.stop({ graceful: false })
}

export async function openQueue(app: ClientConfig, log: Log): Promise<Queue> {
  const boss = new PgBoss({
    ...bossConnection(app),
    schema,
    migrate: false,
    createSchema: false,
    // only an owner can rebuild an index
    reindex: false,
    max: 4,
    useListenNotify: true,
    // how soon work of a server that died is taken up by another
    superviseIntervalSeconds: 5,
    monitorIntervalSeconds: 5,
  })
  boss.on('error', (error) => log.error({ error }, 'the queue failed'))
  await boss.start()
  const names = new Set<string>()

  return {
    async work(name, handle) {
      names.add(name)
      // "short": of work with the same key one waits at a time
      await boss.createQueue(name, { ...rules, policy: 'short' })
      // one made by an earlier version keeps its rules otherwise
      await boss.updateQueue(name, rules)
      await boss.work(name, { pollingIntervalSeconds: 2 }, async ([job]) => {
        if (!job) return
        try {
          await handle(job.data as never, job.signal)
        } catch (error) {
          log.error({ error, queue: name, job: job.id }, 'queued work failed')
          throw error
        }
      })
    },
    async send(name, payload, options = {}) {
      await boss.send(name, payload, {
        ...(options.after ? { startAfter: options.after } : {}),
        singletonKey: options.key ?? randomUUID(),
      })
    },
    async schedule(name, cron) {
      await boss.schedule(name, cron, {}, { tz: 'UTC' })
    },
    async close() {
      // its own graceful stop looks every half second whether what is under way has ended
      const ended = Promise.all([...names].map((name) => boss.offWork(name)))
      await Promise.race([ended, delay(drainMs, undefined, { ref: false })])
      await boss.stop({ graceful: false })
    },
  }
}

function bossConnection(
  config: ClientConfig,
): Pick<ConstructorOptions, 'host' | 'port' | 'user' | 'password' | 'database'> {
  const { host, port, user, password, database, ssl } = config
  return Object.fromEntries(
    Object.entries({ host, port, user, password, database, ssl }).filter(([, value]) => value !== undefined),
  )
}
