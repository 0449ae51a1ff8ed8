import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createClient, routes, type Client, type Turn } from '@coherex/contract'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { startChatServer, type ChatReply, type ChatRequest, type ChatServer } from '../harness/chat-server.ts'
import { isLong } from '../harness/long-tests.ts'
import { makeTestDirectory, startServerProcess, type ServerProcess } from '../harness/server-process.ts'
import { createTestDatabase, type TestDatabase } from '../harness/test-database.ts'
import { createBrowser, type Browser } from '../harness/test-server.ts'

const token = 'a-fixed-token-for-durable-turns'
const rounds = isLong ? 10 : 1
const steps = isLong ? 10 : 3

const range = (length: number) => Array.from({ length }, (_, index) => index)

/** A place outside of the product that counts what reaches it. */
interface Counter {
  port: number
  hits: string[]
  /** Called when a request has come, before it is answered. */
  onHit: ((path: string) => Promise<void> | void) | undefined
  stop(): void
}

let chat: ChatServer
let counter: Counter
let database: TestDatabase
let directories: Awaited<ReturnType<typeof makeTestDirectory>>[]
const servers: (ServerProcess | undefined)[] = [undefined, undefined]

beforeAll(async () => {
  chat = await startChatServer()
  counter = await startCounter()
  database = await createTestDatabase()
  directories = [await makeTestDirectory(), await makeTestDirectory()]
  const call = clientOf(await start(0))
  const network = `network: { allow: ["http://127.0.0.2:${counter.port}/"] }`
  const define = (name: string, rest: string) =>
    call(routes.agents.create, {
      body: { source: `kind: agent\nname: ${name}\ndescription: Counts\ninstructions: Count.\n${rest}\n` },
    })
  await define('counter', `tools: [bash, fetch]\n${network}\nlimits: { steps: 60 }`)
  await define('asker', `tools: [fetch, sleep]\n${network}\napprovals: { fetch: always }`)
  await define('single', 'tools: [sleep]\nlimits: { turnsAtOnce: 1 }')
}, 120_000)
afterAll(async () => {
  for (const server of servers) {
    server?.kill('SIGTERM')
    await server?.ended
  }
  await database.drop()
  for (const directory of directories) await directory.remove()
  await chat.stop()
  counter.stop()
})

async function startCounter(): Promise<Counter> {
  const made: Counter = { port: 0, hits: [], onHit: undefined, stop: () => http.close() }
  const http: Server = createServer((request, response) => {
    const path = request.url ?? ''
    made.hits.push(path)
    void Promise.resolve(made.onHit?.(path)).then(() =>
      response.writeHead(200, { 'content-type': 'text/plain' }).end(`counted ${path}`),
    )
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.2', resolve))
  made.port = (http.address() as AddressInfo).port
  return made
}

async function start(index: number): Promise<ServerProcess> {
  const server = await startServerProcess({
    DATABASE_URL: database.url,
    // two installations of one product: they share the key that secrets are sealed with
    COHEREX_SECRET_KEY: 'one-key-for-both-servers-0123456789',
    COHEREX_DATA_DIR: directories[index]?.path ?? '',
    COHEREX_TOKEN: token,
    COHEREX_COMPATIBLE_BASE_URL: chat.url,
    COHEREX_ALLOW_PRIVATE: `127.0.0.2:${counter.port}`,
    COHEREX_LOG_LEVEL: 'error',
  })
  servers[index] = server
  return server
}

async function kill(index: number): Promise<void> {
  servers[index]?.kill('SIGKILL')
  await servers[index]?.ended
  servers[index] = undefined
}

const clientOf = ({ url }: ServerProcess): Client => createClient({ baseUrl: url, fetch, key: token })
const here = (index = 0): Client => clientOf(servers[index] as ServerProcess)

async function ask(agent: string, index = 0): Promise<{ turnId: string; threadId: string }> {
  const { id: threadId } = await here(index)(routes.threads.create, { body: { agent, title: 'Durable' } })
  const { id: turnId } = await here(index)(routes.threads.turn, {
    params: { id: threadId },
    query: { wait: 'false' },
    body: { text: 'Go' },
  })
  return { turnId, threadId }
}

async function until(turnId: string, wanted: Turn['status'], index = 0, timeout = 60_000): Promise<Turn> {
  const get = () => here(index)(routes.threads.getTurn, { params: { id: turnId } })
  await expect.poll(async () => (await get()).status, { timeout, interval: 100 }).toBe(wanted)
  return get()
}

/** As many calls as steps, one after the other; which one comes next is told by how many results there are. */
function stepwise(calls: ((step: number) => { id: string; name: string; arguments: unknown })[]) {
  return ({ messages }: ChatRequest): ChatReply => {
    const done = messages.filter(({ role }) => role === 'tool').length
    const call = calls[done]
    return call ? { calls: [call(done)] } : { text: 'All done.' }
  }
}

const read = (path: string) => (step: number) => ({
  id: `call_${step}`,
  name: 'fetch_url',
  arguments: { url: `http://127.0.0.2:${counter.port}/${path}/${step}` },
})
const bash = (path: string) => (step: number) => ({
  id: `call_${step}`,
  name: 'bash',
  arguments: { command: `curl -s http://127.0.0.2:${counter.port}/${path}/${step}` },
})

async function signIn(index: number): Promise<Browser> {
  const server = servers[index] as ServerProcess
  const browser = createBrowser(server.url)
  const linkToken = server.signInLink.split('/').at(-1) ?? ''
  await browser.call(routes.signIn.withLink, { body: { token: linkToken } })
  return browser
}

async function pending(threadId: string, index = 0) {
  const { items } = await here(index)(routes.approvals.list, { query: { threadId, status: 'pending' } })
  return items
}

describe('[T8] a turn whose server is killed', () => {
  it('goes on at the step it was at, and repeats no call that was done', async () => {
    for (let round = 0; round < rounds; round++) {
      for (const at of isLong ? range(steps).map((step) => step + 1) : [2]) {
        counter.hits.length = 0
        const path = `after-${round}-${at}`
        // dies while the model is asked for the step after `at` calls are done
        const script = stepwise(Array.from({ length: steps }, () => bash(path)))
        const reached = Promise.withResolvers<void>()
        chat.answer(async (request) => {
          const done = request.messages.filter(({ role }) => role === 'tool').length
          if (done !== at) return script(request)
          reached.resolve()
          return { hangs: true }
        })
        const { turnId } = await ask('counter')
        await reached.promise
        await kill(0)
        chat.answer(script)
        await start(0)
        const turn = await until(turnId, 'done')
        expect(counter.hits).toEqual(range(steps).map((step) => `/${path}/${step}`))
        expect(turn.steps.map(({ number }) => number)).toEqual(range(steps + 1).map((step) => step + 1))
        expect(turn.use.inputTokens).toBe((steps + 1) * 100)
      }
    }
  }, 3_600_000)

  it('does a call again that only reads, and asks a person about one that may have been done', async () => {
    for (let round = 0; round < rounds; round++) {
      counter.hits.length = 0
      // between the effect and its record: the request has come, and nobody hears the answer
      const dying = (path: string) => (hit: string) => {
        if (hit !== path) return undefined
        counter.onHit = undefined
        return kill(0)
      }
      chat.answer(stepwise([read(`reads-${round}`)]))
      counter.onHit = dying(`/reads-${round}/0`)
      const reading = await ask('counter')
      await expect.poll(() => servers[0], { timeout: 30_000 }).toBe(undefined)
      await start(0)
      await until(reading.turnId, 'done')
      expect(counter.hits).toEqual([`/reads-${round}/0`, `/reads-${round}/0`])

      const places = isLong ? range(steps) : [1]
      for (const [at, decision] of places.flatMap((at) => [[at, 'approve'] as const, [at, 'reject'] as const])) {
        counter.hits.length = 0
        const path = `writes-${round}-${at}-${decision}`
        chat.answer(stepwise(Array.from({ length: steps }, () => bash(path))))
        counter.onHit = dying(`/${path}/${at}`)
        const writing = await ask('counter')
        await expect.poll(() => servers[0], { timeout: 60_000 }).toBe(undefined)
        await start(0)
        await until(writing.turnId, 'waiting')
        const before = range(at + 1).map((step) => `/${path}/${step}`)
        expect(counter.hits).toEqual(before)
        const [asked] = await pending(writing.threadId)
        expect(asked).toMatchObject({ kind: 'repeat', tool: 'bash' })
        const browser = await signIn(0)
        await browser.call(routes.approvals.decide, { params: { id: asked?.id ?? '' }, body: { decision } })
        await until(writing.turnId, 'done')
        const again = decision === 'approve' ? [`/${path}/${at}`] : []
        const after = range(steps).slice(at + 1)
        expect(counter.hits).toEqual([...before, ...again, ...after.map((step) => `/${path}/${step}`)])
      }
    }
  }, 3_600_000)

  it('goes on in another server within half a minute', async () => {
    await start(1)
    counter.hits.length = 0
    const script = stepwise([read('two'), read('two')])
    const reached = Promise.withResolvers<void>()
    chat.answer((request) => {
      if (!request.messages.some(({ role }) => role === 'tool')) return script(request)
      reached.resolve()
      return { hangs: true }
    })
    const { turnId } = await ask('counter')
    await reached.promise
    await kill(0)
    const killed = performance.now()
    chat.answer(script)
    await until(turnId, 'done', 1)
    expect(performance.now() - killed).toBeLessThan(30_000)
    expect(counter.hits).toEqual(['/two/0', '/two/1'])
    const { phases } = await here(1)(routes.executions.timeline, { params: { id: turnId } })
    expect(phases.map(({ status, server, isLost }) => [status, server, isLost])).toEqual([
      ['queued', null, false],
      ['running', 1, true],
      ['queued', null, false],
      ['running', 2, false],
    ])
    await start(0)
  }, 120_000)
})

test('[T11] a turn that lost its server again and again ends with that reason, and asks nothing more', async () => {
  chat.answer(stepwise([read('lost')]))
  const { turnId, threadId } = await ask('asker')
  await until(turnId, 'waiting')
  const superuser = await database.superuser()
  await superuser.query(
    `UPDATE coherex.turn SET status = 'running', server_id = 'gone', failures = 4, lease_until = now() WHERE id = $1`,
    [turnId],
  )
  await superuser.end()
  const { ending } = await until(turnId, 'failed')
  expect(ending).toMatchObject({ kind: 'interrupted', message: expect.stringContaining('5 times in a row') })
  expect(await pending(threadId)).toEqual([])

  const { items } = await here()(routes.executions.list, { query: { status: 'dead' } })
  expect(items).toMatchObject([{ id: turnId, status: 'failed', isDead: true, reason: ending?.message }])
  const retried = await here()(routes.executions.retry, { params: { id: turnId }, body: {} })
  expect(await until(retried.id, 'waiting')).toMatchObject({ threadId, retryOf: turnId, startedBy: { kind: 'key' } })
  await here()(routes.threads.stop, { params: { id: retried.id } })
}, 60_000)

describe('[T9] a turn that rests', () => {
  it('goes on with an answer that came after a restart', async () => {
    counter.hits.length = 0
    chat.answer(stepwise([read('asked')]))
    const { turnId, threadId } = await ask('asker')
    await until(turnId, 'waiting')
    servers[0]?.kill('SIGTERM')
    expect((await servers[0]?.ended)?.code).toBe(0)
    await start(0)
    expect((await here()(routes.threads.getTurn, { params: { id: turnId } })).status).toBe('waiting')
    expect(counter.hits).toEqual([])
    const [asked] = await pending(threadId)
    const browser = await signIn(0)
    await browser.call(routes.approvals.decide, { params: { id: asked?.id ?? '' }, body: { decision: 'approve' } })
    await until(turnId, 'done')
    expect(counter.hits).toEqual(['/asked/0'])
  }, 120_000)

  it('sleeps without a process and wakes by itself, in whichever server is there', async () => {
    if (!servers[1]) await start(1)
    const nap = () => ({ id: 'call_nap', name: 'sleep', arguments: { for: '3s' } })
    chat.answer(stepwise([nap]))
    const { turnId, threadId } = await ask('single')
    const sleeping = await until(turnId, 'sleeping')
    expect(Date.parse(sleeping.wakesAt ?? '')).toBeGreaterThan(Date.now() - 3_000)
    await kill(0)
    await until(turnId, 'done', 1)
    const { messages } = await here(1)(routes.threads.get, { params: { id: threadId } })
    expect(JSON.stringify(messages.at(-1)?.parts)).toContain('You slept.')
    await start(0)
  }, 120_000)

  it('waits in a queue when its agent has as many turns as it may, and says where', async () => {
    chat.answer([{ hangs: true }])
    const first = await ask('single')
    await until(first.turnId, 'running')
    const second = await ask('single')
    const third = await ask('single', 1)
    const positions = [second, third].map(({ turnId }) => here()(routes.threads.getTurn, { params: { id: turnId } }))
    expect((await Promise.all(positions)).map(({ status, position }) => [status, position])).toEqual([
      ['queued', 1],
      ['queued', 2],
    ])
    chat.answer([{ text: 'My turn.' }])
    await here()(routes.threads.stop, { params: { id: first.turnId } })
    await until(second.turnId, 'done')
    await until(third.turnId, 'done')
  }, 120_000)
})
