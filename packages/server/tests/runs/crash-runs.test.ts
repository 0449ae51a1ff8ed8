import { routes, type RunRequest } from '@coherex/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startKillableServer, type KillableServer } from '../harness/killable-server.ts'
import { findProcesses } from '../harness/load/find-processes.ts'

vi.setConfig({ testTimeout: 240_000 })

let server: KillableServer

const wordsOf = (lines: object[]) =>
  lines
    .map((line) => ('text' in line ? String(line.text) : ''))
    .join('\n')
    .split('\n')
    .filter((word) => word !== '')

/** The events that whoever heard event number `last` is told. */
async function resume(id: string, last: number): Promise<string[]> {
  const headers = { 'last-event-id': String(last) }
  const stream = await server.call(routes.runs.events, { params: { id } }, { headers })
  return [...stream.matchAll(/^event: (.+)$/gm)].map(([, type = '']) => type)
}

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

test('what runs had printed a moment before the server was killed is there when it starts again', async () => {
  const { id: sandboxId } = await server.call(routes.sandboxes.create, { body: { name: 'talker' } })
  const limits = { timeoutMs: 300_000 }
  const bodies: RunRequest[] = [
    { language: 'bash', code: 'echo one; echo two; sleep 250', limits },
    {
      ...{ language: 'javascript', limits },
      code: "console.log('one'); console.log('two'); await new Promise((resolve) => setTimeout(resolve, 250_000))",
    },
    { language: 'python', sandboxId, code: 'import time\nprint("one")\nprint("two")\ntime.sleep(250)', limits },
  ]
  const ids: string[] = []
  for (const body of bodies) {
    ids.push((await server.call(routes.runs.create, { query: { wait: 'false' }, body })).id)
  }
  const superuser = await server.database.superuser()
  const kept = async (id: string) => {
    const { rows } = await superuser.query<{ text: string }>(
      `SELECT line->>'text' AS text FROM coherex.run_output, json_array_elements(lines) AS line WHERE run_id = $1`,
      [id],
    )
    return wordsOf(rows)
  }
  for (const id of ids) await expect.poll(() => kept(id), { timeout: 60_000 }).toEqual(['one', 'two'])
  await server.killNow()

  await server.startAgain()
  for (const id of ids) {
    const run = await server.call(routes.runs.get, { params: { id } })
    expect(run).toMatchObject({
      status: 'failed',
      error: {
        kind: 'internal',
        message: expect.stringContaining('The server stopped before the run had ended') as string,
      },
    })
    expect([wordsOf(run.output), run.runtime?.name]).toEqual([['one', 'two'], expect.any(String)])
    expect(run.startedAt).not.toBeNull()
    const last = run.output.length
    // whoever watched goes on where it was, even when it has heard lines that were lost
    expect(await resume(id, 0)).toEqual([...Array(last).fill('run-output'), 'run-end'])
    for (const heard of [last, last + 1, last + 5]) expect(await resume(id, heard)).toEqual(['run-end'])
  }
  const { rows: left } = await superuser.query('SELECT FROM coherex.run_output')
  expect(left).toEqual([])
  await superuser.end()
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
