import { routes, type CellChange, type CellRequest, type SandboxChange } from '@coherex/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createNetworkPlaces, type NetworkPlaces } from '../harness/network-places.ts'
import { startTestServer, type TestPerson, type TestServer } from '../harness/test-server.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let server: TestServer
let owner: TestPerson
/** A place on loopback that a sandbox may reach once it is listed. */
let places: NetworkPlaces
let id: string

beforeAll(async () => {
  places = await createNetworkPlaces('127.0.0.2')
  server = await startTestServer({ COHEREX_ALLOW_PRIVATE: `127.0.0.2:${places.plainPort}` })
  owner = await server.owner()
  id = (await owner.call(routes.sandboxes.create, { body: { language: 'python' } })).id
})
afterAll(async () => {
  await server.stop()
  await places.close()
})

const run = (code: string, more: object = {}) =>
  owner.call(routes.runs.create, { body: { sandboxId: id, language: 'python', code, ...more } })
const create = (body: Partial<CellRequest>, on = id) =>
  owner.call(routes.sandboxes.createCell, { params: { id: on }, body })
const change = (cellId: string, body: CellChange) =>
  owner.call(routes.sandboxes.changeCell, { params: { id, cellId }, body })
const cellsOf = async (sandboxId: string) =>
  (await owner.call(routes.sandboxes.listCells, { params: { id: sandboxId } })).items
const sources = async () => (await cellsOf(id)).map(({ source }) => source)
const set = (body: SandboxChange) => owner.call(routes.sandboxes.change, { params: { id }, body })

test('a notebook keeps texts in order, runs point to their cells, and a fork begins with both', async () => {
  const first = await run('a = 1')
  const title = await create({ kind: 'markdown', source: '# Title', after: null })
  expect(title).toMatchObject({ kind: 'markdown', language: null, runId: null })
  const [, madeByRun] = await cellsOf(id)
  expect(madeByRun).toMatchObject({ kind: 'code', language: 'python', source: 'a = 1', runId: first.id })

  const last = await create({ source: 'a + 1' })
  const again = await run('a + 2', { cellId: last.id })
  expect(again.result).toBe(3)
  expect((await cellsOf(id)).at(-1)).toMatchObject({ id: last.id, source: 'a + 2', runId: again.id })
  // run again, a cell takes the place of what it was
  await run('a = 5', { cellId: madeByRun?.id })
  await change(last.id, { after: title.id })
  expect(await sources()).toEqual(['# Title', 'a + 2', 'a = 5'])
  await change(last.id, { after: madeByRun?.id ?? null, isCollapsed: true, source: 'a + 10' })
  expect((await cellsOf(id)).at(-1)).toMatchObject({ isCollapsed: true, source: 'a + 10', runId: again.id })

  const fork = await owner.call(routes.sandboxes.fork, { params: { id }, body: {} })
  expect(await cellsOf(fork.id)).toEqual(await cellsOf(id))
  // as they were run, in their order, and what was typed since stays
  const rerun = await owner.call(routes.sandboxes.rerun, { params: { id: fork.id }, body: {} })
  expect(rerun.runs.map(({ status }) => status)).toEqual(['succeeded', 'succeeded'])
  expect((await cellsOf(fork.id)).map(({ source }) => source)).toEqual(['# Title', 'a = 5', 'a + 10'])
  const all = await owner.call(routes.sandboxes.rerun, { params: { id: fork.id }, body: { cells: 'all' } })
  const shown = await cellsOf(fork.id)
  expect(shown.map(({ runId }) => runId)).toEqual([null, ...all.runs.map((one) => one.id)])
  const ended = await owner.call(routes.runs.get, { params: { id: shown.at(-1)?.runId ?? '' } })
  expect(ended.result).toBe(15)

  // what is deleted is put back with its output
  await owner.call(routes.sandboxes.removeCell, { params: { id, cellId: last.id } })
  const back = await create({ source: 'a + 10', after: title.id, runId: again.id })
  expect((await cellsOf(id)).map((one) => one.id)).toEqual([title.id, back.id, madeByRun?.id])
  const cleared = await owner.call(routes.sandboxes.clearCells, { params: { id }, body: {} })
  expect(cleared.items.map(({ runId }) => runId)).toEqual([null, null, null])
})

test('a notebook refuses cells of others, texts that are too long, and viewers', async () => {
  const nowhere = `cel_${'0'.repeat(26)}`
  const viewer = await server.invite(owner, 'viewer')
  const listed = await viewer.call(routes.sandboxes.listCells, { params: { id } })
  expect(listed.items.length).toBeGreaterThan(0)
  const [cell] = listed.items
  const params = { id, cellId: cell?.id ?? '' }
  const own = await owner.call(routes.sandboxes.create, { body: {} })
  await Promise.all([
    expect(viewer.call(routes.sandboxes.changeCell, { params, body: { source: 'x' } })).rejects.toMatchObject({
      code: 'forbidden',
    }),
    expect(viewer.call(routes.sandboxes.change, { params: { id }, body: { name: 'x' } })).rejects.toMatchObject({
      code: 'forbidden',
    }),
    expect(change(nowhere, { source: 'x' })).rejects.toMatchObject({ code: 'not_found' }),
    expect(create({ source: 'x', after: nowhere })).rejects.toMatchObject({ code: 'not_found' }),
    expect(create({ source: 'x'.repeat(1_000_001) })).rejects.toMatchObject({ code: 'invalid_input' }),
    expect(create({ runId: `run_${'0'.repeat(26)}` })).rejects.toMatchObject({ code: 'invalid_input' }),
    expect(run('1', { cellId: nowhere })).rejects.toMatchObject({ code: 'not_found' }),
    expect(
      owner.call(routes.runs.create, {
        body: { sandboxId: own.id, language: 'python', code: '1', cellId: params.cellId },
      }),
    ).rejects.toMatchObject({ code: 'not_found' }),
  ])
  const large = 'x'.repeat(1_000_000)
  for (let n = 0; n < 10; n++) await create({ kind: 'markdown', source: n < 9 ? large : 'x' }, own.id)
  await expect(create({ source: large }, own.id)).rejects.toMatchObject({ code: 'quota_exceeded' })
  const most = { code: `y = "${'x'.repeat(1_000_010)}"`, language: 'python' as const, sandboxId: own.id }
  expect(await owner.call(routes.runs.create, { body: most })).toMatchObject({ status: 'succeeded' })
  expect(await cellsOf(own.id)).toHaveLength(10)
})

test('the network of a sandbox that is awake is opened and closed for programs and for FETCH', async () => {
  const byProgram = `import urllib.request\nurllib.request.urlopen("${places.plain}/page", timeout=20).read().decode()`
  const byFetch = `import coherex\ncoherex.FETCH.fetch("${places.plain}/page")["body"]`
  expect(await run(byProgram)).toMatchObject({
    status: 'failed',
    requests: [{ url: `${places.plain}/page`, error: 'URL_NOT_ALLOWED' }],
  })
  expect(places.seen).toEqual([])

  const opened = await set({ network: { allow: [`${places.plain}/`] } })
  expect(opened).toMatchObject({ network: { allow: [`${places.plain}/`] }, atNextWake: [] })
  // the session from before has the way out, and so has a command
  expect((await run(byProgram)).result).toBe('hello from /page')
  expect((await run(byFetch)).result).toBe('hello from /page')
  const seen = places.seen.length

  // a cell that runs meanwhile finds it closed
  const long = await owner.call(routes.runs.create, {
    query: { wait: 'false' },
    body: {
      sandboxId: id,
      language: 'python',
      code: `import time, pathlib\nwhile not pathlib.Path("go").exists(): time.sleep(0.05)\n${byFetch}`,
    },
  })
  await expect.poll(async () => (await owner.call(routes.runs.get, { params: { id: long.id } })).status).toBe('running')
  await set({ network: null })
  await owner.call(routes.sandboxes.writeFile, { params: { id, path: 'go' }, body: 'now' })
  await expect
    .poll(async () => (await owner.call(routes.runs.get, { params: { id: long.id } })).status, { timeout: 20_000 })
    .toBe('failed')
  expect((await run(byProgram)).status).toBe('failed')
  expect(places.seen).toHaveLength(seen)
})

test('name, memory and idle time of a sandbox change at once, and its disk when it next wakes', async () => {
  const before = await owner.call(routes.sandboxes.get, { params: { id } })
  const changed = await set({ name: 'Spring', limits: { memoryMb: 512, diskMb: 256 }, idleTimeoutMs: 600_000 })
  expect(changed).toMatchObject({
    name: 'Spring',
    limits: { memoryMb: 512, diskMb: 256 },
    idleTimeoutMs: 600_000,
    atNextWake: ['limits.diskMb'],
  })
  expect(before.limits.memoryMb).toBe(1024)
  // its processes are held to it from now on
  const grabbed = await run('x = bytearray(700_000_000)\nfor i in range(0, len(x), 4096): x[i] = 1')
  expect(grabbed).toMatchObject({ status: 'failed', error: { message: expect.stringContaining('512 MB') as string } })
  await owner.call(routes.teams.setQuotas, { body: { sandboxMemoryMb: 4096 } })
  await expect(set({ limits: { memoryMb: 4097 } })).rejects.toMatchObject({ code: 'quota_exceeded' })
  expect((await owner.call(routes.sandboxes.get, { params: { id } })).limits.memoryMb).toBe(512)
  await expect(set({ network: { allow: ['ftp://x'] } })).rejects.toMatchObject({ code: 'invalid_input' })
  await expect(set({})).rejects.toMatchObject({ code: 'invalid_input' })

  const { items } = await owner.call(routes.audit.list, { query: { limit: 50 } })
  expect(items.filter(({ action }) => action === 'sandbox.change').length).toBe(3)
  await owner.call(routes.sandboxes.remove, { params: { id } })
  await expect(set({ name: 'Gone' })).rejects.toMatchObject({ code: 'conflict' })
  await expect(cellsOf(id)).rejects.toMatchObject({ code: 'conflict' })
})
