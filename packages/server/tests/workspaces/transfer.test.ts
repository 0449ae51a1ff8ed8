import { routes } from '@coherex/contract'
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startGitServer, type GitServer } from '../harness/outside/git-server.ts'
import { startTestServer, type TestPerson, type TestServer } from '../harness/test-server.ts'

const { workspaces: route } = routes
let server: TestServer
let owner: TestPerson
let git: GitServer

beforeAll(async () => {
  git = await startGitServer()
  server = await startTestServer({ COHEREX_ALLOW_PRIVATE: `127.0.0.1:${git.port}` })
  owner = await server.owner()
})
afterAll(async () => {
  await server.stop()
  await git.stop()
})

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

test('a workspace goes to a repository and comes back from it over HTTP, with a secret that an admin opened for the host', async () => {
  const [editor, viewer] = [await server.invite(owner, 'editor'), await server.invite(owner, 'viewer')]
  await git.make('tool')
  git.token = 'the-token-of-the-team'
  await owner.call(routes.secrets.put, { params: { name: 'GIT_TOKEN' }, body: { value: git.token } })
  const id = await make()
  await editor.call(route.writeFile, { params: { id, path: 'a.txt' }, query: { message: 'One' }, body: 'one\n' })
  const place = { url: git.url('tool'), branch: 'main', secret: 'GIT_TOKEN' }
  await expect(viewer.call(route.pushGit, { params: { id }, body: place })).rejects.toMatchObject({ code: 'forbidden' })
  await expect(editor.call(route.pushGit, { params: { id }, body: place })).rejects.toMatchObject({
    code: 'forbidden',
    details: [{ field: 'secret', message: expect.stringContaining('an admin has to do that first') }],
  })
  const withToken = { ...place, url: place.url.replace('//', '//me:token@') }
  await expect(owner.call(route.pushGit, { params: { id }, body: withToken })).rejects.toMatchObject({
    code: 'invalid_input',
    details: [{ field: 'url' }],
  })
  expect(await owner.call(route.pushGit, { params: { id }, body: place })).toMatchObject({ commits: 1, version: 1 })
  await editor.call(route.writeFile, { params: { id, path: 'b.txt' }, body: 'two\n' })
  expect(await editor.call(route.pushGit, { params: { id }, body: place })).toMatchObject({ commits: 1, version: 2 })
  expect(await git.git('tool.git', 'log', '--format=%an: %s', 'main')).toBe(
    `${editor.me.person.name}: Add b.txt\n${editor.me.person.name}: One\n`,
  )
  const cloned = await editor.call(route.cloneGit, { body: { url: place.url, secret: 'GIT_TOKEN', name: 'Again' } })
  expect(cloned).toMatchObject({ workspace: { name: 'Again', version: 1 }, import: { files: 2, branch: 'main' } })
  expect(await textsOf(cloned.workspace.id)).toEqual({ 'a.txt': 'one\n', 'b.txt': 'two\n' })
  const { items } = await viewer.call(route.gitRemotes, { params: { id } })
  expect(items).toMatchObject([{ url: place.url, branch: 'main', version: 2, secret: 'GIT_TOKEN' }])
  // nothing on this machine or its network but what the operator listed
  const inside = { url: `${server.url}/api`, branch: 'main' }
  await expect(owner.call(route.importGit, { params: { id }, body: inside })).rejects.toMatchObject({
    details: [{ field: 'url' }],
  })
  const { items: audit } = await owner.call(routes.audit.list, {})
  expect(audit.map(({ action }) => action)).toEqual(expect.arrayContaining(['workspace.git-push', 'secret.open-host']))
  expect(JSON.stringify(audit)).not.toContain(git.token)
})
