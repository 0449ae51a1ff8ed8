import { routes, type Run } from '@coherex/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestPerson, type TestServer } from '../harness/test-server.ts'

let server: TestServer
let owner: TestPerson

beforeAll(async () => {
  server = await startTestServer()
  owner = await server.owner()
})
afterAll(() => server.stop())

const bomb = `import os, time
while True:
    try:
        if os.fork() == 0: time.sleep(600)
    except OSError: break`

test('a sandbox that a cell filled with processes says so to the next cell and in its notice, until it is reset', async () => {
  const { id } = await owner.call(routes.sandboxes.create, { body: { language: 'python' } })
  const run = (code: string, context?: string): Promise<Run> =>
    owner.call(routes.runs.create, {
      query: { wait: 'true' },
      body: { language: 'python', code, sandboxId: id, ...(context && { context }) },
    })
  const notice = async () => (await owner.call(routes.sandboxes.get, { params: { id } })).notice
  expect((await run(bomb)).status).toBe('succeeded')
  expect(await notice()).toBe('It has no room for another process: reset it to end those that earlier cells left')
  const next = await run('1', 'other')
  expect([next.status, next.error?.message]).toEqual(['failed', expect.stringMatching(/no room .* reset it/)])
  expect((await owner.call(routes.sandboxes.reset, { params: { id }, body: {} })).notice).toBeNull()
  await expect.poll(async () => (await run('1', 'other')).result, { timeout: 30_000 }).toBe(1)
  expect(await notice()).toBeNull()
})
