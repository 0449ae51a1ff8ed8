import { routes } from '@coherex/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import WebSocket from 'ws'
import { startTestServer, type TestPerson, type TestServer } from '../harness/test-server.ts'

const { workspaces: route } = routes
const notFound = { code: 'not_found' }
let server: TestServer
let owner: TestPerson
let editor: TestPerson
let id: string

beforeAll(async () => {
  server = await startTestServer()
  owner = await server.owner()
  editor = await server.invite(owner, 'editor')
  ;({ id } = await editor.call(route.openScratch, {}))
  await editor.call(route.writeFile, { params: { id, path: 'secret-plan.py' }, body: 'print("hidden treasure")' })
})
afterAll(() => server.stop())

/** How a socket is answered: 101 where it is opened. */
function knock(person: TestPerson, path: string): Promise<number> {
  return new Promise((resolve) => {
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}${path}`, {
      headers: person.socketHeaders(),
    })
    socket.on('open', () => {
      socket.close()
      resolve(101)
    })
    socket.on('unexpected-response', (_request, response) => {
      resolve(response.statusCode ?? 0)
      socket.terminate()
    })
    socket.on('error', () => undefined)
  })
}

test('Scratch is made once for each person, also when it is asked for several times at once', async () => {
  const person = await server.invite(owner, 'editor')
  const opened = await Promise.all([1, 2, 3].map(() => person.call(route.openScratch, {})))
  expect(new Set(opened.map((one) => one.id)).size).toBe(1)
  expect(opened[0]).toMatchObject({ name: 'Scratch', reach: 'private', createdBy: { kind: 'person', door: 'studio' } })
  expect((await owner.call(route.openScratch, {})).id).not.toBe(opened[0]?.id)
  const { items } = await owner.call(routes.audit.list, { query: { action: 'workspace.create' } })
  expect(items.filter(({ target }) => target?.id === opened[0]?.id)).toHaveLength(1)
})

test('its files have versions like those of any workspace, and it is on top of the list of its person', async () => {
  await editor.call(route.create, { body: { name: 'Of the team' } })
  const { items } = await editor.call(route.list, {})
  expect(items.slice(0, 2).map(({ name, reach }) => [name, reach])).toEqual([
    ['Scratch', 'private'],
    ['Of the team', 'team'],
  ])
  const paged = []
  for (let cursor: string | undefined; ;) {
    const page = await editor.call(route.list, { query: { limit: 1, ...(cursor ? { cursor } : {}) } })
    paged.push(...page.items)
    if (!page.nextCursor) break
    cursor = page.nextCursor
  }
  expect(paged).toEqual(items)
  const versions = await editor.call(route.listVersions, { params: { id } })
  expect(versions.items.map(({ changes }) => changes)).toEqual([[{ path: 'secret-plan.py', change: 'added' }]])
})

test('to others, owners included, it is not there: neither in lists, by id, in search, nor by socket', async () => {
  const params = { id }
  expect((await owner.call(route.list, {})).items.map((one) => one.id)).not.toContain(id)
  // while it is open in memory, and after others looked for it
  const file = { ...params, path: 'secret-plan.py' }
  await expect(owner.call(route.get, { params })).rejects.toMatchObject(notFound)
  await expect(owner.call(route.listFiles, { params })).rejects.toMatchObject(notFound)
  await expect(owner.call(route.readFile, { params: file })).rejects.toMatchObject(notFound)
  await expect(owner.call(route.writeFile, { params: file, body: 'mine' })).rejects.toMatchObject(notFound)
  await expect(owner.call(route.remove, { params })).rejects.toMatchObject(notFound)
  await expect(owner.call(route.search, { params, query: { pattern: 'treasure' } })).rejects.toMatchObject(notFound)
  await expect(owner.call(route.listVersions, { params })).rejects.toMatchObject(notFound)
  const run = { language: 'python', code: '', entry: 'secret-plan.py', workspaceId: id } as const
  await expect(owner.call(routes.runs.create, { body: run })).rejects.toMatchObject(notFound)
  await expect(owner.call(routes.sandboxes.create, { body: { workspaceId: id } })).rejects.toMatchObject(notFound)
  expect([await knock(owner, `/sync/${id}`), await knock(editor, `/sync/${id}`)]).toEqual([404, 101])

  const found = async (person: TestPerson, q: string) =>
    JSON.stringify((await person.call(routes.search.find, { query: { q } })).items)
  for (const q of ['secret-plan', 'treasure']) {
    expect(await found(editor, q)).toContain('secret-plan.py')
    expect(await found(owner, q)).not.toContain('secret-plan.py')
  }
  expect(await editor.call(route.readFile, { params: file })).toBe('print("hidden treasure")')
})

test('events of Scratch are told to its person alone', async () => {
  const heard: Record<string, unknown[]> = { owner: [], editor: [] }
  const sockets = Object.entries({ owner, editor }).map(([name, person]) => {
    const socket = new WebSocket(`${server.url.replace('http', 'ws')}/events`, { headers: person.socketHeaders() })
    socket.on('message', (data: Buffer) => heard[name]?.push((JSON.parse(data.toString()) as { id: unknown }).id))
    return socket
  })
  await Promise.all(sockets.map((socket) => new Promise((resolve) => socket.once('open', resolve))))
  await editor.call(route.writeFile, { params: { id, path: 'more.txt' }, body: 'more' })
  const { id: later } = await editor.call(route.create, { body: { name: 'Told to all' } })
  for (const ids of Object.values(heard)) await expect.poll(() => ids).toContain(later)
  await expect.poll(() => heard['editor']).toContain(id)
  expect(heard['owner']).not.toContain(id)
  for (const socket of sockets) socket.close()
})

test('its runs and sandboxes are seen by its person alone', async () => {
  const run = await editor.call(routes.runs.create, {
    body: { language: 'javascript', code: '"treasure"', workspaceId: id },
  })
  expect(run).toMatchObject({ isPrivate: true })
  await expect(owner.call(routes.runs.get, { params: { id: run.id } })).rejects.toMatchObject(notFound)
  expect((await editor.call(routes.runs.get, { params: { id: run.id } })).id).toBe(run.id)

  const sandbox = await editor.call(routes.sandboxes.create, { body: { workspaceId: id } })
  const params = { id: sandbox.id }
  await expect(owner.call(routes.sandboxes.get, { params })).rejects.toMatchObject(notFound)
  expect((await owner.call(routes.sandboxes.list, {})).items).toEqual([])
  expect((await editor.call(routes.sandboxes.get, { params })).id).toBe(sandbox.id)
  await editor.call(routes.sandboxes.remove, { params })
})

test('it is not deleted, renamed or archived', async () => {
  const ownerScratch = await owner.call(route.openScratch, {})
  const params = { id: ownerScratch.id }
  for (const change of [{ name: 'Mine' }, { archived: true }])
    await expect(owner.call(route.update, { params, body: change })).rejects.toMatchObject({ code: 'conflict' })
  await expect(owner.call(route.remove, { params })).rejects.toMatchObject({ code: 'conflict' })
  expect(await owner.call(route.update, { params, body: { retentionDays: 30 } })).toMatchObject({ retentionDays: 30 })
})
