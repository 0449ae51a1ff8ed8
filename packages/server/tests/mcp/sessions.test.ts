import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { routes } from '@coherex/contract'
import type { Client } from '@modelcontextprotocol/client'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { startServer } from '../../src/server.ts'
import { connectClient, revisions } from '../harness/outside/mcp-client.ts'
import { startTestServer } from '../harness/test-server.ts'

const secretKey = { COHEREX_SECRET_KEY: Buffer.alloc(32, 7).toString('base64') }
const first = await startTestServer({ ...secretKey, COHEREX_REQUESTS_PER_SECOND: '1000' })
const owner = await first.owner()
const directory = await mkdtemp(join(tmpdir(), 'coherex-second-'))
await chmod(directory, 0o711)
const settings = {
  PORT: '0',
  COHEREX_DATA_DIR: directory,
  DATABASE_URL: first.database.url,
  COHEREX_LOG_LEVEL: 'error',
}
const second = await startServer(readConfig({ ...settings, COHEREX_WARM: 'false', ...secretKey }, directory))
const clients: Client[] = []
afterAll(async () => {
  for (const client of clients) await client.close()
  await second.stop()
  await first.stop()
  await rm(directory, { recursive: true, force: true })
})

const patience = { timeout: 20_000 }
const makeKey = (name: string) => owner.call(routes.keys.create, { body: { name, scopes: ['run', 'write'] } })
async function connect(...of: Parameters<typeof connectClient>): Promise<Client> {
  const client = await connectClient(...of)
  clients.push(client)
  return client
}

const accepts = { accept: 'application/json, text/event-stream' }
interface Sent {
  key: string
  session?: string
  method?: string
  body?: object
  url?: string
  signal?: AbortSignal
}
const send = ({ key, session, method = 'POST', body, url = first.url, signal }: Sent) =>
  fetch(`${url}/mcp`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...accepts,
      ...(body && { 'content-type': 'application/json' }),
      ...(session && { 'mcp-session-id': session }),
    },
    ...(body && { body: JSON.stringify({ jsonrpc: '2.0', ...body }) }),
    ...(signal && { signal }),
  })
async function initialize(key: string, url = first.url): Promise<string> {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
  const answer = await send({ key, url, body: { id: 0, method: 'initialize', params } })
  await answer.text()
  return answer.headers.get('mcp-session-id') ?? ''
}
const ping = { id: 1, method: 'ping' }
const longCall = { name: 'run_code', arguments: { language: 'bash', code: 'sleep 60', timeoutSeconds: 60 } }
const write = (id = '', text: string, path = 'a.md') =>
  owner.call(routes.workspaces.changeFiles, { params: { id }, body: { write: [{ path, text }] } })
const lastRun = async () => (await owner.call(routes.runs.list, { query: { limit: 1 } })).items[0]

test.each(revisions)('a client of revision %s hears that prompts and resources changed', async (revision) => {
  const heard: string[] = []
  const note = (error: Error | null, items: { name: string }[] | null) =>
    void (error ?? heard.push(...(items ?? []).map(({ name }) => name)))
  const { key } = await makeKey('lists')
  await connect(first.url, { key, revision, onPrompts: note, onResources: note })
  const name = `greet-${revision}`
  const text = `---\nname: ${name}\ndescription: Says hello\n---\nSay hello.\n`
  await owner.call(routes.skills.put, { params: { name }, body: { files: { 'SKILL.md': text } } })
  await expect.poll(() => heard, patience).toContain(name)
  const path = `for-${revision}.md`
  const { id } = await owner.call(routes.workspaces.create, { body: { name: revision, template: 'blank' } })
  await write(id, '# One\n', path)
  await expect.poll(() => heard, patience).toContain(path)
})

test('a session hears of changes of a resource it is subscribed to, and of no other', async () => {
  const { key } = await makeKey('watches')
  const client = await connect(first.url, { key, revision: '2025-11-25' })
  const updated: string[] = []
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => void updated.push(params.uri))
  const made = await Promise.all(
    ['watched', 'other'].map(async (name) => {
      const { id } = await owner.call(routes.workspaces.create, { body: { name, template: 'blank' } })
      await write(id, '# One\n')
      return id
    }),
  )
  const uri = `coherex://workspaces/${made[0]}/files/a.md`
  await client.subscribeResource({ uri })
  await expect(client.subscribeResource({ uri: `${uri}x` })).rejects.toThrow(/not found/i)
  await write(made[1], '# Two\n')
  await write(made[0], '# Two\n')
  await expect.poll(() => updated, patience).toContain(uri)
  expect(new Set(updated)).toEqual(new Set([uri]))
})

test('a client that set a log level hears what its call prints as logs', async () => {
  const { key } = await makeKey('logs')
  const client = await connect(first.url, { key, revision: '2025-11-25' })
  const logs: unknown[] = []
  client.setNotificationHandler('notifications/message', ({ params }) => void logs.push(params.data))
  const code = 'console.log("hello"); await new Promise((resolve) => setTimeout(resolve, 500))'
  const call = () => client.callTool({ name: 'run_code', arguments: { language: 'javascript', code } })
  await client.setLoggingLevel('error')
  await call()
  expect(logs).toEqual([])
  await client.setLoggingLevel('info')
  await call()
  expect(logs.join('')).toContain('hello')
})

test('a session is of its key: another one finds none, DELETE ends it, and its stream ends with it', async () => {
  const [{ key }, { key: other }] = [await makeKey('mine'), await makeKey('other')]
  const session = await initialize(key)
  expect((await send({ key, session, body: ping })).status).toBe(200)
  for (const method of ['GET', 'DELETE']) expect((await send({ key: other, session, method })).status).toBe(404)
  expect((await send({ key: other, session, body: ping })).status).toBe(404)
  const stream = await send({ key, session, method: 'GET' })
  expect(stream.headers.get('content-type')).toBe('text/event-stream')
  expect((await send({ key, session, method: 'GET' })).status).toBe(409)
  expect((await send({ key, session, method: 'DELETE' })).status).toBe(200)
  await stream.text()
  expect((await send({ key, session, body: ping })).status).toBe(404)
})

test('a second stream of a session is refused, and the first goes on', async () => {
  const { key } = await makeKey('twice')
  const session = await initialize(key)
  const stream = await send({ key, session, method: 'GET' })
  const second = await send({ key, session, method: 'GET' })
  expect(second.status).toBe(409)
  await second.text()
  const name = 'after-second'
  const text = `---\nname: ${name}\ndescription: Says hello\n---\nSay hello.\n`
  await owner.call(routes.skills.put, { params: { name }, body: { files: { 'SKILL.md': text } } })
  const { done, value } = (await stream.body?.getReader().read()) ?? {}
  expect([done, Buffer.from(value ?? []).toString()]).toEqual([false, expect.stringContaining('prompts/list_changed')])
})

test('a revoked key ends its session, its stream and its call', async () => {
  const { id, key } = await makeKey('revoked')
  const session = await initialize(key)
  const stream = await send({ key, session, method: 'GET' })
  const call = await send({ key, session, body: { id: 2, method: 'tools/call', params: longCall } })
  await expect.poll(async () => (await lastRun())?.status, patience).toBe('running')
  await owner.call(routes.keys.revoke, { params: { id } })
  await Promise.all([stream.text(), call.text()])
  expect((await send({ key, session, body: ping })).status).toBe(401)
  await expect.poll(async () => (await lastRun())?.status, patience).toBe('cancelled')
})

test('a request whose id is in use by another one of its session is refused, and the first goes on', async () => {
  const { key } = await makeKey('same id')
  const session = await initialize(key)
  const call = await send({ key, session, body: { id: 7, method: 'tools/call', params: longCall } })
  const again = await send({ key, session, body: { id: 7, method: 'ping' } })
  expect([again.status, await again.json()]).toMatchObject([400, { error: { code: -32600 } }])
  const cancelled = { method: 'notifications/cancelled', params: { requestId: 7 } }
  // an id of another kind is another id
  await send({ key, session, body: { ...cancelled, params: { requestId: '7' } } })
  await expect.poll(async () => (await lastRun())?.status, patience).toBe('running')
  expect((await send({ key, session, body: cancelled })).status).toBe(202)
  await call.text()
  await expect.poll(async () => (await lastRun())?.status, patience).toBe('cancelled')
})

test('the session of a person that was not used for the longest time makes room for a new one', async () => {
  const person = await first.invite(owner, 'viewer')
  const { key } = await person.call(routes.keys.create, { body: { name: 'many', scopes: ['read'] } })
  const sessions: string[] = []
  for (let at = 0; at < 21; at++) sessions.push(await initialize(key))
  const status = async (session: string | undefined) => (await send({ key, session: session ?? '', body: ping })).status
  expect([await status(sessions[0]), await status(sessions[1]), await status(sessions[20])]).toEqual([404, 200, 200])
})

test('a call that one server works on is cancelled, and its session ended, through another', async () => {
  const { key } = await makeKey('both')
  const session = await initialize(key)
  const call = await send({ key, session, body: { id: 'a', method: 'tools/call', params: longCall } })
  await expect.poll(async () => (await lastRun())?.status, patience).toBe('running')
  const there = { key, session, url: second.url }
  const body = { method: 'notifications/cancelled', params: { requestId: 'a' } }
  expect((await send({ ...there, body })).status).toBe(202)
  await call.text()
  await expect.poll(async () => (await lastRun())?.status, patience).toBe('cancelled')

  // what needs no session is answered anywhere
  expect((await send({ ...there, body: ping })).status).toBe(200)
  expect((await send({ ...there, method: 'GET' })).status).toBe(405)
  expect((await send({ key, session, body: ping })).status).toBe(200)
  expect((await send({ ...there, method: 'DELETE' })).status).toBe(202)
  await expect.poll(async () => (await send({ key, session, body: ping })).status, patience).toBe(404)
})

test('bodies of any form are answered without an error of the server, in a session and without one', async () => {
  const { key } = await makeKey('fuzz')
  const session = await initialize(key)
  const methods = ['initialize', 'ping', 'tools/list', 'tools/call', 'resources/subscribe', 'completion/complete']
  const method = fc.oneof(fc.constantFrom(...methods, 'logging/setLevel', 'notifications/cancelled'), fc.jsonValue())
  const message = fc.record(
    { jsonrpc: fc.constantFrom('2.0', '1.0'), id: fc.jsonValue({ maxDepth: 1 }), method, params: fc.jsonValue() },
    { requiredKeys: [] },
  )
  const bodies = fc.sample(fc.oneof(message, fc.jsonValue()), { numRuns: 300, seed: 11 })
  const statuses = new Set<number>()
  for (const [at, body] of bodies.entries()) {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...accepts }
    const answer = await fetch(`${first.url}/mcp`, {
      ...{ method: 'POST', body: JSON.stringify(body) },
      headers: at % 2 ? { ...headers, 'mcp-session-id': session } : headers,
    })
    await answer.text()
    statuses.add(answer.status)
  }
  expect([...statuses].filter((status) => ![200, 202, 400].includes(status))).toEqual([])
  expect((await send({ key, session, body: ping })).status).toBe(200)
})
