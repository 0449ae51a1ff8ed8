import { routes } from '@coherex/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { findAnyUv } from '../harness/outside/find-uv.ts'
import { createWheelIndex, type WheelIndex } from '../harness/outside/wheel-index.ts'
import { startTestServer, type TestPerson, type TestServer } from '../harness/test-server.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let server: TestServer
let owner: TestPerson
/** A package index, as an operator's mirror would be. */
let index: WheelIndex
/** A team's own. */
let closed: WheelIndex

beforeAll(async () => {
  index = await createWheelIndex()
  closed = await createWheelIndex({ credentials: 'team:secret' })
  const doors = [index, closed].map(({ url }) => new URL(url).host).join(',')
  server = await startTestServer({ COHEREX_ALLOW_PRIVATE: doors, COHEREX_PYPI_INDEX: index.url })
  owner = await server.owner()
})
afterAll(async () => {
  await server.stop()
  await index.close()
  await closed.close()
})

test('a template brings files and a command to every sandbox made from it, by version', async () => {
  const build = (more: object) =>
    owner.call(routes.templates.build, {
      body: { name: 'hello', files: { 'notes/start.txt': 'begin here' }, ...more },
    })
  const first = await build({ start: 'echo started > started.txt; sleep 600' })
  expect(first).toMatchObject({ name: 'hello', version: 1, files: ['notes/start.txt'] })
  expect(await build({})).toMatchObject({ version: 2, bytes: 0 })

  const { id, template } = await owner.call(routes.sandboxes.create, { body: { template: 'hello@1' } })
  expect(template).toEqual({ name: 'hello', version: 1 })
  const code = 'open("notes/start.txt").read()'
  expect(await owner.call(routes.runs.create, { body: { sandboxId: id, language: 'python', code } })).toMatchObject({
    status: 'succeeded',
    result: 'begin here',
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

test('packages of a template are locked when it is built, from the index that it names', async (context) => {
  if (!findAnyUv()) return context.skip('needs uv')
  index.offer({ name: 'tinypkg', version: '1.0', files: { 'tinypkg/__init__.py': 'def answer(): return 42\n' } })
  const first = await owner.call(routes.templates.build, { body: { name: 'tiny', packages: ['tinypkg==1.0'] } })
  expect(first.locks).toMatchObject([{ language: 'python', packages: [{ name: 'tinypkg', version: '1.0' }] }])
  const { id, packages } = await owner.call(routes.sandboxes.create, { body: { template: 'tiny' } })
  expect(packages).toEqual(first.locks)
  const code = 'import tinypkg\ntinypkg.answer()'
  expect(await owner.call(routes.runs.create, { body: { sandboxId: id, language: 'python', code } })).toMatchObject({
    status: 'succeeded',
    result: 42,
  })

  const building = owner.call(routes.templates.build, {
    body: { name: 'lost', packages: ['surely-not-there'], index: index.url },
  })
  await expect(building).rejects.toMatchObject({ message: expect.stringContaining('surely-not-there') as string })
  expect((await owner.call(routes.templates.list, {})).items.map(({ name }) => name)).toEqual(['tiny'])
})

test('a template is built from an index of the team with credentials, within its storage, and a sandbox of it imports the package', async (context) => {
  if (!findAnyUv()) return context.skip('needs uv')
  closed.offer({ name: 'inhouse', version: '1.0', files: { 'inhouse.py': 'def answer(): return 43\n' } })
  const built = await owner.call(routes.templates.build, {
    body: { name: 'inhouse', packages: ['inhouse'], index: closed.url },
  })
  expect(built.locks).toMatchObject([{ packages: [{ name: 'inhouse', version: '1.0' }] }])
  expect(JSON.stringify(built)).not.toContain('secret')
  closed.offer({ name: 'inhouse', version: '1.1', files: { 'inhouse.py': '' } })
  await owner.call(routes.teams.setQuotas, { body: { storageMb: 0 } })
  const larger = { name: 'larger', packages: ['inhouse>1.0'], index: closed.url }
  await expect(owner.call(routes.templates.build, { body: larger })).rejects.toMatchObject({ code: 'quota_exceeded' })
  await owner.call(routes.teams.setQuotas, { body: { storageMb: 100 } })
  const { id } = await owner.call(routes.sandboxes.create, { body: { template: 'inhouse' } })
  const code = 'import inhouse\ninhouse.answer()'
  expect(await owner.call(routes.runs.create, { body: { sandboxId: id, language: 'python', code } })).toMatchObject({
    status: 'succeeded',
    result: 43,
  })
})
