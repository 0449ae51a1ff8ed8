import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../harness/database/test-database.ts'
import { makeTestDirectory, startServerProcess, type ServerProcess } from '../harness/server-process.ts'

const token = 'a-fixed-token-for-wide-bodies'
let database: TestDatabase
let directory: Awaited<ReturnType<typeof makeTestDirectory>>
let server: ServerProcess

beforeAll(async () => {
  database = await createTestDatabase()
  directory = await makeTestDirectory()
  const settings = {
    COHEREX_DATA_DIR: directory.path,
    DATABASE_URL: database.url,
    COHEREX_TOKEN: token,
    COHEREX_WARM: 'false',
  }
  server = await startServerProcess(settings, { isWatched: true })
  // what is loaded and compiled once is no matter of the first body
  await post('/api/v1/runs', { ...program, input: keys(10) })
}, 60_000)
afterAll(async () => {
  server.kill('SIGTERM')
  await server.ended
  await database.drop()
  await directory.remove()
})

const program = { language: 'javascript', code: 'export default (env, input) => Object.keys(input).length' }

function keys(count: number, value: unknown = 'x'): Record<string, unknown> {
  return Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, value]))
}

async function post(path: string, body: object): Promise<{ status: number; told: string; result: unknown }> {
  const response = await fetch(server.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify(body),
  })
  const { result, error } = (await response.json()) as { result?: unknown; error?: { message: string } }
  return { status: response.status, told: error?.message ?? '', result }
}

test.each<[string, string, object, RegExp]>([
  ['99,000 keys', '/api/v1/runs', { ...program, input: keys(99_000) }, /20000 different keys/],
  ['rows of 1,000 keys', '/api/v1/runs', { ...program, input: Array(900).fill(keys(1_000)) }, /500000 keys/],
  ['19,000 variables', '/api/v1/runs', { ...program, env: keys(19_000) }, /env: .*1000 entries/],
  ['19,000 files', '/api/v1/runs', { ...program, files: keys(19_000) }, /files: .*1000 entries/],
  ['19,000 variables of a sandbox', '/api/v1/sandboxes', { env: keys(19_000, 1) }, /env: .*1000 entries/],
])('POST refuses %s, and its turn stays short', async (_, path, body, refusal) => {
  await server.longestTick()
  const { status, told } = await post(path, body)
  expect([status, told]).toEqual([400, expect.stringMatching(refusal)])
  expect((await server.longestTick()).longest).toBeLessThan(200)
})

test.each<[string, object, number]>([
  ['19,900 keys', keys(19_900), 19_900],
  ['49,000 rows', Array(49_000).fill(keys(10)), 49_000],
  ['a list of 990,000', Array(990_000).fill(1), 990_000],
])('POST /runs takes an input of %s, and no turn of the server is long', async (_, input, result) => {
  await server.longestTick()
  expect(await post('/api/v1/runs', { ...program, input })).toMatchObject({ status: 200, result })
  expect((await server.longestTick()).longest).toBeLessThan(250)
})
