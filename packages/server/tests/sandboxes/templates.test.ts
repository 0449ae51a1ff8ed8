import { routes } from '@coherex/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { createNetworkPlaces, type NetworkPlaces } from '../harness/network-places.ts'
import { startTestServer, type TestPerson, type TestServer } from '../harness/test-server.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let server: TestServer
let owner: TestPerson
/** A package index, as an operator's mirror would be. */
let places: NetworkPlaces

beforeAll(async () => {
  places = await createNetworkPlaces('127.0.0.2')
  server = await startTestServer({ COHEREX_ALLOW_PRIVATE: `127.0.0.2:${places.plainPort}` })
  owner = await server.owner()
})
afterAll(async () => {
  await server.stop()
  await places.close()
})

test('a template brings packages, files and a command to every sandbox made from it, by version', async () => {
  const build = (more: object) =>
    owner.call(routes.templates.build, {
      body: { name: 'hello', files: { 'notes/start.txt': 'begin here' }, ...more },
    })
  const first = await build({
    packages: ['tinypkg==1.0', 'pip'],
    index: `${places.plain}/simple`,
    network: { allow: [`${places.plain}/`] },
    start: 'echo started > started.txt; sleep 600',
  })
  expect(first).toMatchObject({ name: 'hello', version: 1, files: ['notes/start.txt'] })
  expect(first.bytes).toBeGreaterThan(0)
  expect(await build({})).toMatchObject({ version: 2, bytes: 0 })

  const { id, template } = await owner.call(routes.sandboxes.create, { body: { template: 'hello@1' } })
  expect(template).toEqual({ name: 'hello', version: 1 })
  const cell = (code: string) => owner.call(routes.runs.create, { body: { sandboxId: id, language: 'python', code } })
  expect(await cell('import tinypkg\n[tinypkg.answer(), open("notes/start.txt").read()]')).toMatchObject({
    status: 'succeeded',
    result: [42, 'begin here'],
  })
  // what it brings belongs to every sandbox of it and can be changed by none
  expect(await cell('open("/opt/template/tinypkg/__init__.py", "a")')).toMatchObject({
    status: 'failed',
    error: { message: expect.stringMatching(/Read-only|Permission denied/) as string },
  })
  const { items } = await owner.call(routes.sandboxes.listProcesses, { params: { id } })
  expect(items.map(({ command }) => command)).toEqual(['echo started > started.txt; sleep 600'])

  const newest = await owner.call(routes.sandboxes.create, { body: { template: 'hello' } })
  expect(newest.template).toEqual({ name: 'hello', version: 2 })
  await owner.call(routes.templates.remove, { params: { name: 'hello' } })
  await expect(owner.call(routes.templates.get, { params: { name: 'hello' } })).rejects.toMatchObject({
    code: 'not_found',
  })
})

test('a build that cannot have its packages says why, and leaves nothing', async () => {
  const building = owner.call(routes.templates.build, {
    body: { name: 'lost', packages: ['surely-not-there'], index: `${places.plain}/simple` },
  })
  await expect(building).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('surely-not-there') as string,
  })
  expect((await owner.call(routes.templates.list, {})).items).toEqual([])
})
