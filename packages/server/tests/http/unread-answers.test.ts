import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { createClient, routes, type Client } from '@coherex/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../harness/database/test-database.ts'
import { makeTestDirectory, startServerProcess, type ServerProcess } from '../harness/server-process.ts'
import { readMemory } from '../hostile/server-memory.ts'

const token = 'a-fixed-token-for-unread-answers'
const headers = { authorization: `Bearer ${token}` }
let database: TestDatabase
let directory: Awaited<ReturnType<typeof makeTestDirectory>>
let server: ServerProcess
let call: Client
const clients: Socket[] = []

beforeAll(async () => {
  database = await createTestDatabase()
  directory = await makeTestDirectory()
  const settings = {
    COHEREX_DATA_DIR: directory.path,
    DATABASE_URL: database.url,
    COHEREX_TOKEN: token,
    COHEREX_WARM: 'false',
    COHEREX_REQUESTS_PER_SECOND: '1000',
  }
  server = await startServerProcess(settings)
  call = createClient({ baseUrl: server.url, fetch, key: token })
}, 60_000)
afterAll(async () => {
  for (const client of clients) client.destroy()
  server.kill('SIGTERM')
  await server.ended
  await database.drop()
  await directory.remove()
})

/** Asks and reads nothing. */
function ask(path: string, accept: string): void {
  const { port, host } = new URL(server.url)
  const client = connect({ port: Number(port), host: '127.0.0.1' }).pause()
  client.on('error', () => {})
  client.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\nAccept: ${accept}\r\n\r\n`)
  clients.push(client)
}

test('streams and answers that nobody reads hold what is promised, others are answered, and the memory comes back', async () => {
  const code = 'import sys\nfor at in range(9): sys.stdout.write("x" * 1_000_000 + "\\n")'
  const { id, status } = await call(routes.runs.create, {
    query: { wait: 'true' },
    body: { language: 'python', code, limits: { outputBytes: 10_000_000 } },
  })
  expect(status).toBe('succeeded')
  const before = readMemory(server.pid)
  let peak = before
  const timer = setInterval(() => (peak = Math.max(peak, readMemory(server.pid))), 50)
  for (let at = 0; at < 300; at++) ask(`/api/v1/runs/${id}/events`, 'text/event-stream')
  for (let at = 0; at < 100; at++) ask(`/api/v1/runs/${id}`, 'application/json')
  for (let at = 0; at < 8; at++) {
    const other = { language: 'javascript' as const, code: String(at) }
    expect(await call(routes.runs.create, { query: { wait: 'true' }, body: other })).toMatchObject({ result: at })
    await delay(1_000)
  }
  clearInterval(timer)
  // 256 MB of answers, those that are being made, and what the collector has not come to yet; without a bound it is beyond 2 GB
  expect(peak - before).toBeLessThan(900)
  // whoever reads gets theirs once those that stall made room
  const patient = async () => (await fetch(`${server.url}/api/v1/runs/${id}`, { headers })).status
  await vi.waitUntil(async () => (await patient()) === 200, { timeout: 60_000, interval: 1_000 })
  for (const client of clients) client.destroy()
  await vi.waitUntil(() => readMemory(server.pid) < before + 64, { timeout: 90_000, interval: 1_000 })
}, 240_000)
