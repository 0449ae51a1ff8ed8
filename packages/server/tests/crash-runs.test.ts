import { routes } from '@coherex/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { findProcesses } from './harness/find-processes.ts'
import { startKillableServer, type KillableServer } from './harness/killable-server.ts'

vi.setConfig({ testTimeout: 240_000 })

let server: KillableServer

beforeAll(async () => {
  server = await startKillableServer()
})
afterAll(() => server.remove())

test('accepted runs of a killed server end when it starts again, and nothing of them is left', async () => {
  const marker = `86${process.pid}`
  const { call } = server
  const bodies = [
    { language: 'bash' as const, code: `sleep ${marker} & sleep ${marker}` },
    { language: 'python' as const, code: `import subprocess; subprocess.run(["sleep", "${marker}"])` },
    { language: 'javascript' as const, code: 'await new Promise((resolve) => setTimeout(resolve, 250_000))' },
  ]
  const ids: string[] = []
  for (const body of bodies) {
    const request = { query: { wait: 'false' as const }, body: { ...body, limits: { timeoutMs: 300_000 } } }
    ids.push((await call(routes.runs.create, request)).id)
  }
  await expect
    .poll(() => findProcesses(marker).then((found) => found.length), { timeout: 60_000 })
    .toBeGreaterThanOrEqual(3)

  await server.killNow()
  await expect.poll(() => findProcesses(marker), { timeout: 60_000 }).toEqual([])

  await server.startAgain()
  for (const id of ids) {
    const run = await server.call(routes.runs.get, { params: { id } })
    expect(run).toMatchObject({ status: 'failed', error: { kind: 'internal' } })
    expect(run.endedAt).not.toBeNull()
  }
  expect((await server.call(routes.runs.create, { body: { language: 'python', code: '1 + 1' } })).result).toBe(2)
})

test('a stop ends running code, and the run says so', async () => {
  const marker = `87${process.pid}`
  const waiting = server.call(routes.runs.create, {
    body: { language: 'bash', code: `sleep ${marker}`, limits: { timeoutMs: 300_000 } },
  })
  await expect.poll(() => findProcesses(marker).then((found) => found.length), { timeout: 60_000 }).toBeGreaterThan(0)
  server.process.kill('SIGTERM')
  expect(await waiting).toMatchObject({ status: 'cancelled' })
  expect((await server.process.ended).code).toBe(0)
  expect(await findProcesses(marker)).toEqual([])
})
