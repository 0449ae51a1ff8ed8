import { createClient, routes, type Approval, type Client, type Turn } from '@coherex/contract'
import type { Client as PgClient } from 'pg'
import { expect } from 'vitest'
import { createTestDatabase } from './database/test-database.ts'
import { startCounter } from './load/counter.ts'
import { isLong } from './long-tests.ts'
import { startChatServer } from './outside/chat-server.ts'
import { makeTestDirectory, startServerProcess, type ServerProcess } from './server-process.ts'
import { createBrowser } from './test-server.ts'

const token = 'a-fixed-token-for-durable-turns'
const untilMs = isLong ? 600_000 : 120_000

/** Two servers on one database, a model that does what it is told, and a counter outside: what happens is seen there. */
export type DurableScene = Awaited<ReturnType<typeof openDurableScene>>

export async function openDurableScene() {
  const [chat, counter, database] = await Promise.all([startChatServer(), startCounter(), createTestDatabase()])
  const directories = [await makeTestDirectory(), await makeTestDirectory()]
  const servers: (ServerProcess | undefined)[] = [undefined, undefined]
  const superuser = await database.superuser()

  async function start(index: number): Promise<ServerProcess> {
    const server = await startServerProcess({
      DATABASE_URL: database.url,
      // two installations of one product: they share the key that secrets are sealed with
      COHEREX_SECRET_KEY: 'one-key-for-both-servers-0123456789',
      COHEREX_DATA_DIR: directories[index]?.path ?? '',
      COHEREX_TOKEN: token,
      COHEREX_COMPATIBLE_BASE_URL: chat.url,
      COHEREX_ALLOW_PRIVATE: counter.hostPort,
      COHEREX_LOG_LEVEL: 'error',
      COHEREX_WARM: 'false',
    })
    servers[index] = server
    void server.ended.then(({ stderr }) => {
      // nobody killed it: whatever comes next fails, and this is why
      if (servers[index] === server) console.error(`server ${index} ended by itself: ${stderr.slice(-4000)}`)
    })
    return server
  }

  async function kill(index: number, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const server = servers[index]
    servers[index] = undefined
    server?.kill(signal)
    await server?.ended
  }

  const urlOf = (index: number) => servers[index]?.url ?? ''
  const call = (index: number): Client => createClient({ baseUrl: urlOf(index), fetch, key: token })
  const anyone = () => (servers[0] ? 0 : 1)

  // the first start prints a link to sign in with, and the next one another in its place
  const browser = createBrowser((await start(0)).url)
  const linkToken = servers[0]?.signInLink.split('/').at(-1) ?? ''
  await browser.call(routes.signIn.withLink, { body: { token: linkToken } })
  await start(1)

  /** A person at a browser. The session is in the database: it outlives every server. */
  const person = (): Client => {
    const headers = { cookie: browser.cookie(), origin: urlOf(anyone()) }
    const withCookie: typeof fetch = (input, init) =>
      fetch(input, { ...init, headers: { ...(init?.headers as Record<string, string>), ...headers } })
    return createClient({ baseUrl: urlOf(anyone()), fetch: withCookie as never })
  }

  return {
    chat,
    counter,
    superuser,
    start,
    kill,
    call,
    isUp: (index: number) => servers[index] !== undefined,

    async define(name: string, rest: string): Promise<void> {
      const source = `kind: agent\nname: ${name}\ndescription: Counts\ninstructions: Count.\n${rest}\n`
      const { status } = await call(anyone())(routes.agents.create, { body: { source } })
      expect(status).toBe('active')
    },

    async ask(agent: string, text: string, index: number): Promise<{ turnId: string; threadId: string }> {
      const { id: threadId } = await call(index)(routes.threads.create, { body: { agent, title: 'Durable' } })
      const { id: turnId } = await call(index)(routes.threads.turn, {
        params: { id: threadId },
        query: { wait: 'false' },
        body: { text },
      })
      return { turnId, threadId }
    },

    /** The stream of a thread, after the last event that was heard. */
    listen: (index: number, threadId: string, last: string) =>
      fetch(`${urlOf(index)}/api/v1/threads/${threadId}/stream`, {
        headers: { authorization: `Bearer ${token}`, ...(last && { 'last-event-id': last }) },
      }),

    async until(turnId: string, wanted: Turn['status']): Promise<Turn> {
      const get = () => call(anyone())(routes.threads.getTurn, { params: { id: turnId } })
      const isThere = async () => {
        const { status, endedAt, threadId } = await get()
        if (!endedAt || status === wanted) return status
        const { messages } = await call(anyone())(routes.threads.get, { params: { id: threadId } })
        throw new Error(`It is ${status} and not ${wanted}: ${JSON.stringify(messages)}`)
      }
      await expect.poll(isThere, { timeout: untilMs, interval: 100 }).toBe(wanted)
      return get()
    },

    async pending(threadId: string): Promise<Approval[]> {
      const { items } = await call(anyone())(routes.approvals.list, { query: { threadId, status: 'pending' } })
      return items
    },

    async decide(asked: Approval | undefined, decision: 'approve' | 'reject'): Promise<void> {
      await person()(routes.approvals.decide, { params: { id: asked?.id ?? '' }, body: { decision } })
    },

    /** The servers that had these are dead: nobody waits until their leases run out. */
    async endLeases(turnIds: readonly string[]): Promise<void> {
      await superuser.query(
        `UPDATE coherex.turn SET lease_until = now() - interval '1 second' WHERE status = 'running' AND server_id IN (
         SELECT server_id FROM coherex.turn WHERE id = ANY($1))`,
        [turnIds],
      )
    },

    holdRecords: (turnIds: readonly string[]) => holdRecords(database.superuser, turnIds),

    async close(): Promise<void> {
      await Promise.all([kill(0, 'SIGTERM'), kill(1, 'SIGTERM')])
      await superuser.end()
      await database.drop()
      for (const directory of directories) await directory.remove()
      await chat.stop()
      counter.stop()
    },
  }
}

/** Keeps turns from being written: what is done meanwhile has no record. Released when whoever wanted to write is gone. */
async function holdRecords(connect: () => Promise<PgClient>, turnIds: readonly string[]) {
  const [holder, watcher] = await Promise.all([connect(), connect()])
  await holder.query('BEGIN')
  // in no hurry: where a server renews the leases of these, that one gives way
  await holder.query(`SET LOCAL deadlock_timeout = '1min'`)
  await holder.query('SELECT FROM coherex.turn WHERE id = ANY($1) FOR UPDATE', [turnIds])
  // another file of tests uses the same PostgreSQL at the same time: its connections are no concern of this one
  const waiters = `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
  const writers = `${waiters} AND (query LIKE '%keep_call%' OR query LIKE '%FOR UPDATE%')`
  // those that came after enough of them waited
  const lateWriters = `${waiters} AND query LIKE '%keep_call%'`
  let pids: number[] = []
  return {
    /** As many records wait to be written as there are, or as the server has connections for. */
    async blocked(): Promise<void> {
      const waiting = async () => {
        pids = (await watcher.query<{ pid: number }>(writers)).rows.map(({ pid }) => pid)
        return pids.length
      }
      await expect.poll(waiting, { timeout: untilMs, interval: 50 }).toBeGreaterThanOrEqual(Math.min(turnIds.length, 6))
    },
    async release(): Promise<void> {
      // a statement that was sent is carried out, also when its sender has died
      await watcher.query('SELECT pg_terminate_backend(pid) FROM unnest($1::integer[]) AS pid', [pids])
      await watcher.query(`SELECT pg_terminate_backend(pid) FROM (${lateWriters}) AS late`)
      await holder.query('ROLLBACK')
      await Promise.all([holder.end(), watcher.end()])
    },
  }
}
