import { routes } from '@coherex/contract'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer, type TestPerson, type TestServer } from '../harness/test-server.ts'

const { workspaces: route } = routes
let server: TestServer
let owner: TestPerson

beforeAll(async () => {
  server = await startTestServer()
  owner = await server.owner()
})
afterAll(() => server.stop())

const make = async () => (await owner.call(route.create, { body: { name: 'Zipped' } })).id
const textsOf = async (id: string, query = '') => {
  const response = await owner.fetch(`/api/v1/workspaces/${id}/zip${query}`)
  const files = unzipSync(new Uint8Array(await response.arrayBuffer()))
  return Object.fromEntries(Object.entries(files).map(([path, bytes]) => [path, strFromU8(bytes)]))
}

test('a zip comes in as one version and goes out as it was, now or at a version', async () => {
  const id = await make()
  const body = zipSync({ 'a.txt': strToU8('eins\n'), src: { 'b.py': strToU8('print(2)\n') } })
  expect(await owner.call(route.importZip, { params: { id }, body })).toEqual({ version: 1, files: 2 })
  expect(await owner.call(route.importZip, { params: { id }, query: { folder: 'copy' }, body })).toMatchObject({
    version: 2,
  })
  const { items } = await owner.call(route.listVersions, { params: { id } })
  expect(items.map(({ message, changeCount }) => [message, changeCount])).toEqual([
    ['Imported 2 files from a zip', 2],
    ['Imported 2 files from a zip', 2],
  ])
  const first = { 'a.txt': 'eins\n', 'src/b.py': 'print(2)\n' }
  expect(await textsOf(id, '?version=1')).toEqual(first)
  expect(await textsOf(id)).toEqual({ ...first, 'copy/a.txt': 'eins\n', 'copy/src/b.py': 'print(2)\n' })
})

test('an archive that would climb out leaves the workspace as it was', async () => {
  const id = await make()
  const body = zipSync({ 'fine.txt': strToU8('x'), '../up.txt': strToU8('x') })
  await expect(owner.call(route.importZip, { params: { id }, body })).rejects.toMatchObject({ code: 'invalid_input' })
  expect(await owner.call(route.listFiles, { params: { id } })).toEqual({ version: 0, items: [] })
})
