import { createClient, routes, type Client } from '@coherex/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findProcesses } from './harness/find-processes.ts'
import { makeTestDirectory, startServerProcess, type ServerProcess } from './harness/server-process.ts'
import { createTestDatabase, type TestDatabase } from './harness/test-database.ts'

const token = 'tok_0123456789012345678901'
let database: TestDatabase
let directory: Awaited<ReturnType<typeof makeTestDirectory>>
let server: ServerProcess

const start = () =>
  startServerProcess({ DATABASE_URL: database.url, COHEREX_DATA_DIR: directory.path, COHEREX_TOKEN: token })
const clientOf = ({ url }: ServerProcess): Client => createClient({ baseUrl: url, fetch, key: token })

beforeAll(async () => {
  database = await createTestDatabase()
  directory = await makeTestDirectory()
  server = await start()
})

afterAll(async () => {
  server.kill('SIGTERM')
  await server.ended
  await database.drop()
  await directory.remove()
})

test('accepted runs of a killed server end when it starts again, and nothing of them is left', async () => {
  const marker = `86${process.pid}`
  const call = clientOf(server)
  const bodies = [
    { language: 'bash' as const, code: `sleep ${marker} & sleep ${marker}` },
    { language: 'python' as const, code: `import subprocess; subprocess.run(["sleep", "${marker}"])` },
    { language: 'javascript' as const, code: 'await new Promise((resolve) => setTimeout(resolve, 25_000))' },
  ]
  const ids: string[] = []
  for (const body of bodies) ids.push((await call(routes.runs.create, { query: { wait: 'false' }, body })).id)
  await expect
    .poll(() => findProcesses(marker).then((found) => found.length), { timeout: 10_000 })
    .toBeGreaterThanOrEqual(3)

  server.kill('SIGKILL')
  await server.ended
  await expect.poll(() => findProcesses(marker), { timeout: 10_000 }).toEqual([])

  server = await start()
  const again = clientOf(server)
  for (const id of ids) {
    const run = await again(routes.runs.get, { params: { id } })
    expect(run).toMatchObject({ status: 'failed', error: { kind: 'internal' } })
    expect(run.endedAt).not.toBeNull()
  }
  expect((await again(routes.runs.create, { body: { language: 'python', code: '1 + 1' } })).result).toBe(2)
})

test('a stop ends running code, and the run says so', async () => {
  const marker = `87${process.pid}`
  const waiting = clientOf(server)(routes.runs.create, { body: { language: 'bash', code: `sleep ${marker}` } })
  await expect.poll(() => findProcesses(marker).then((found) => found.length), { timeout: 10_000 }).toBeGreaterThan(0)
  server.kill('SIGTERM')
  expect(await waiting).toMatchObject({ status: 'cancelled' })
  expect((await server.ended).code).toBe(0)
  expect(await findProcesses(marker)).toEqual([])
  server = await start()
})
