import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient, routes, type Client, type Run } from '@coherex/contract'
import { afterAll, expect, test } from 'vitest'
import { readConfig } from '../src/config.ts'
import { startServer } from '../src/server.ts'
import { startChatServer } from './harness/outside/chat-server.ts'
import { startTestServer } from './harness/test-server.ts'

const secretKey = { COHEREX_SECRET_KEY: Buffer.alloc(32, 7).toString('base64') }
const chat = await startChatServer()
const model = { COHEREX_COMPATIBLE_BASE_URL: chat.url }
const first = await startTestServer({ ...secretKey, ...model })
// before the second one starts, which makes a sign-in link of its own
const owner = await first.owner()
const directory = await mkdtemp(join(tmpdir(), 'coherex-second-'))
await chmod(directory, 0o711)
const second = await startServer(
  readConfig(
    {
      ...{ PORT: '0', COHEREX_DATA_DIR: directory, DATABASE_URL: first.database.url },
      ...{ COHEREX_LOG_LEVEL: 'error', COHEREX_WARM: 'false', ...secretKey, ...model },
    },
    directory,
  ),
)
const { key } = await owner.call(routes.keys.create, { body: { name: 'Both', scopes: ['run', 'write'] } })
const here: Client = first.withKey(key)
const there: Client = createClient({ baseUrl: second.url, fetch, key })

afterAll(async () => {
  await second.stop()
  await first.stop()
  await chat.stop()
  await rm(directory, { recursive: true, force: true })
})

async function startLong(call: Client, language: 'bash' | 'javascript' = 'bash'): Promise<Run> {
  const code = language === 'bash' ? 'sleep 60' : 'await new Promise((resolve) => setTimeout(resolve, 60_000))'
  const run = await call(routes.runs.create, { query: { wait: 'false' }, body: { language, code } })
  const get = () => call(routes.runs.get, { params: { id: run.id } })
  await expect.poll(async () => (await get()).status, { timeout: 30_000 }).toBe('running')
  return run
}

test.each(['bash', 'javascript'] as const)(
  'a %s run that one server holds is cancelled through the other',
  async (language) => {
    const { id } = await startLong(here, language)
    const cancelled = await there(routes.runs.cancel, { params: { id } })
    expect([cancelled.status, cancelled.error?.kind]).toEqual(['cancelled', 'cancelled'])
    expect((await here(routes.runs.get, { params: { id } })).status).toBe('cancelled')
  },
)

test('a sandbox that one server holds is deleted through the other, and what ran in it ends', async () => {
  const { id } = await here(routes.sandboxes.create, { body: { language: 'bash' } })
  const body = { language: 'bash' as const, code: 'sleep 60', sandboxId: id }
  const cell = await here(routes.runs.create, { query: { wait: 'false' }, body })
  const get = () => here(routes.runs.get, { params: { id: cell.id } })
  await expect.poll(async () => (await get()).status, { timeout: 30_000 }).toBe('running')
  await there(routes.sandboxes.remove, { params: { id } })
  await expect.poll(async () => (await get()).endedAt, { timeout: 15_000 }).not.toBeNull()
  expect((await here(routes.sandboxes.get, { params: { id } })).status).toBe('ended')
})

test('a cell of a sandbox that one server holds is interrupted through the other, and its session goes on', async () => {
  const { id } = await here(routes.sandboxes.create, { body: { language: 'bash' } })
  const inSandbox = (code: string) => ({ language: 'bash' as const, code, sandboxId: id })
  await here(routes.runs.create, { body: inSandbox('kept=before') })
  const cell = await here(routes.runs.create, { query: { wait: 'false' }, body: inSandbox('sleep 60') })
  const get = () => here(routes.runs.get, { params: { id: cell.id } })
  await expect.poll(async () => (await get()).status, { timeout: 30_000 }).toBe('running')
  const interrupt = () => there(routes.sandboxes.interrupt, { params: { id }, body: {} })
  await expect.poll(async () => (await interrupt()).interrupted, { timeout: 15_000 }).toBe(true)
  await expect.poll(async () => (await get()).endedAt, { timeout: 15_000 }).not.toBeNull()
  const next = await here(routes.runs.create, { body: inSandbox('echo "$kept"') })
  expect(JSON.stringify(next.output)).toContain('before')
  expect(await interrupt()).toEqual({ interrupted: false })
})

test('a process of a sandbox that one server holds is killed through the other', async () => {
  const { id } = await here(routes.sandboxes.create, { body: { language: 'bash' } })
  const { pid } = await here(routes.sandboxes.startProcess, { params: { id }, body: { command: 'sleep 60' } })
  const kill = (which: number) => there(routes.sandboxes.killProcess, { params: { id, pid: which } })
  await kill(pid)
  const exit = async () => (await here(routes.sandboxes.getProcess, { params: { id, pid } })).exit
  await expect.poll(exit, { timeout: 15_000 }).toMatchObject({ signal: 'SIGTERM' })
  await expect(kill(4_000_000)).rejects.toThrow('There is no process 4000000 in the sandbox')
})

test('a turn that one server works on is stopped through the other', async () => {
  chat.answer([{ text: 'Never said', hangs: true }])
  const source = 'kind: agent\nname: talker\ndescription: Talks\ninstructions: Talk.\n'
  await owner.call(routes.agents.create, { body: { source } })
  const { id: threadId } = await here(routes.threads.create, { body: { agent: 'talker' } })
  const said = { params: { id: threadId }, query: { wait: 'false' as const }, body: { text: 'Speak' } }
  const { id } = await here(routes.threads.turn, said)
  await expect.poll(() => chat.requests.length, { timeout: 30_000 }).toBeGreaterThan(0)
  await there(routes.threads.stop, { params: { id } })
  const status = async () => (await here(routes.threads.getTurn, { params: { id } })).status
  await expect.poll(status, { timeout: 15_000 }).toBe('stopped')
})
