import { routes } from '@coherex/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startKillableServer, type KillableServer } from '../harness/killable-server.ts'
import { findProcesses } from '../harness/load/find-processes.ts'

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

let server: KillableServer

beforeAll(async () => {
  server = await startKillableServer()
})
afterAll(() => server.remove())

test('what was answered before a kill is there after it, and a stop leaves nothing running', async () => {
  const marker = `91${process.pid}`
  let { call } = server
  const { id } = await call(routes.sandboxes.create, { body: { name: 'survivor' } })
  const params = { id }
  await call(routes.sandboxes.writeFile, { params: { id, path: 'uploaded.txt' }, body: 'uploaded' })
  await call(routes.runs.create, {
    body: { sandboxId: id, language: 'python', code: 'x = 5\nopen("written.txt", "w").write("written")' },
  })
  await call(routes.sandboxes.startProcess, { params, body: { command: `sleep ${marker}` } })
  await expect.poll(() => findProcesses(marker).then((found) => found.length)).toBeGreaterThan(0)

  await server.killNow()
  await expect.poll(() => findProcesses(marker), { timeout: 60_000 }).toEqual([])

  await server.startAgain()
  call = server.call
  expect(await call(routes.sandboxes.get, { params })).toMatchObject({
    status: 'sleeping',
    reason: 'the server stopped without warning',
  })
  const read = 'open("uploaded.txt").read() + " " + open("written.txt").read()'
  const run = await call(routes.runs.create, { body: { sandboxId: id, language: 'python', code: read } })
  expect(run.result).toBe('uploaded written')
  expect((await call(routes.sandboxes.get, { params })).notice).toContain('variables are gone (python after 1 cell)')

  // a stop saves what no cell did
  await call(routes.sandboxes.startProcess, { params, body: { command: `echo late > late.txt; sleep ${marker}` } })
  // its shell has the marker in its own command line, long before it has written anything
  const paths = async () => (await call(routes.sandboxes.listFiles, { params })).items.map(({ path }) => path)
  await expect.poll(paths).toContain('late.txt')
  expect(await findProcesses(marker)).not.toEqual([])
  server.process.kill('SIGTERM')
  expect(await server.process.ended).toMatchObject({ code: 0 })
  expect(await findProcesses(marker)).toEqual([])

  await server.startAgain()
  call = server.call
  expect(await call(routes.sandboxes.get, { params })).toMatchObject({
    status: 'sleeping',
    reason: 'the server was stopped',
  })
  const { items } = await call(routes.sandboxes.listFiles, { params })
  expect(items.map((one) => one.path)).toEqual(['late.txt', 'uploaded.txt', 'written.txt'])
})
