import { routes } from '@coherex/contract'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import WebSocket from 'ws'
import { watchStretch } from '../harness/load/machine-stretch.ts'
import { makeTestDirectory, startServerProcess } from '../harness/server-process.ts'
import { connectSyncClient, type SyncClient } from '../harness/sync-client.ts'
import { startTestServer, type TestPerson, type TestServer } from '../harness/test-server.ts'

const { workspaces: route } = routes
const secretKey = 'one secret of two servers, long enough'
let server: TestServer
let owner: TestPerson
let editor: TestPerson
let viewer: TestPerson
const clients: SyncClient[] = []

beforeAll(async () => {
  server = await startTestServer({ COHEREX_SECRET_KEY: secretKey })
  owner = await server.owner()
  editor = await server.invite(owner, 'editor')
  viewer = await server.invite(owner, 'viewer')
})
afterEach(() => {
  for (const client of clients.splice(0)) client.destroy()
})
afterAll(() => server.stop())

const make = async () => (await owner.call(route.create, { body: { name: 'Sync' } })).id
const read = (id: string, path: string) => owner.call(route.readFile, { params: { id, path } })
const poll = <T>(get: () => T) => expect.poll(get, { interval: 10 })
const codesOf = ({ closings }: SyncClient) => closings.map(({ code }) => code)

function join(person: TestPerson, workspaceId: string, url = server.url): SyncClient {
  const client = connectSyncClient({ url, workspaceId, headers: { ...person.socketHeaders(), origin: url } })
  clients.push(client)
  return client
}

test('two who type in one file see each other, and what they typed is in versions by them', async () => {
  const id = await make()
  const [one, two] = [join(owner, id), join(editor, id)]
  one.text('a.txt').insert(0, 'hello')
  await one.stored()
  await poll(() => two.read('a.txt')).toBe('hello')
  two.text('a.txt').insert(5, ' world')
  await two.stored()
  await poll(() => one.read('a.txt')).toBe('hello world')
  expect(await read(id, 'a.txt')).toBe('hello world')
  const { items } = await owner.call(route.listVersions, { params: { id } })
  const authors = new Set(items.flatMap(({ author, coauthors }) => [author, ...coauthors].map(({ name }) => name)))
  expect(authors).toEqual(new Set(['Olga Owner', editor.me.person.name]))
})

test('a late client gets the state, and offline edits of both sides merge', async () => {
  const id = await make()
  await owner.call(route.writeFile, { params: { id, path: 'a.txt' }, body: 'one\ntwo\nthree\n' })
  const one = join(owner, id)
  await one.stored()
  expect(one.read('a.txt')).toBe('one\ntwo\nthree\n')
  one.drop()
  await poll(() => one.provider.isSynced).toBe(false)
  one.text('a.txt').insert(0, 'zero\n')
  await owner.call(route.edit, { params: { id }, body: { path: 'a.txt', search: 'three', replace: 'THREE' } })
  one.connect()
  one.text('a.txt').insert(0, '>')
  await one.stored()
  await poll(() => one.read('a.txt')).toBe('>zero\none\ntwo\nTHREE\n')
  expect(await read(id, 'a.txt')).toBe('>zero\none\ntwo\nTHREE\n')
})

test('a viewer sees but does not write, and keeps being told that nothing of theirs is stored', async () => {
  const id = await make()
  const [one, two] = [join(owner, id), join(viewer, id)]
  one.text('a.txt').insert(0, 'mine')
  await one.stored()
  await poll(() => two.read('a.txt')).toBe('mine')
  await two.stored()
  expect(two.provider.authorizedScope).toBe('readonly')
  two.text('a.txt').insert(0, 'not ')
  one.text('a.txt').insert(4, '!')
  await poll(() => two.read('a.txt')).toBe('not mine!')
  expect(two.isStored()).toBe(false)
  expect(await read(id, 'a.txt')).toBe('mine!')
})

test('everyone is who they are: the server names them, they say only where they are', async () => {
  const id = await make()
  const [one, two] = [join(owner, id), join(editor, id)]
  await one.stored()
  await two.stored()
  two.provider.awareness?.setLocalState({
    user: { name: 'Olga Owner', id: owner.me.person.id },
    file: 'a.txt',
    selection: { anchor: 1, head: 2 },
    isAdmin: true,
  })
  const seen = () => one.provider.awareness?.getStates().get(two.doc.clientID)
  await poll(seen).toEqual({
    user: { id: editor.me.person.id, name: editor.me.person.name, color: expect.stringMatching(/^#[0-9a-f]{6}$/) },
    file: 'a.txt',
    selection: { anchor: 1, head: 2 },
  })
  two.drop()
  await poll(seen).toBe(undefined)
  two.connect()
  await poll(seen).toMatchObject({ file: 'a.txt' })
})

test('awareness tells clients who joins and leaves', async () => {
  const id = await make()
  const heard: unknown[] = []
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/events`, { headers: viewer.socketHeaders() })
  socket.on('message', (data: Buffer) => heard.push(JSON.parse(data.toString())))
  await new Promise((resolve) => socket.once('open', resolve))
  const one = join(owner, id)
  one.provider.awareness?.setLocalState({ file: 'a.txt' })
  await poll(() => heard).toContainEqual({ type: 'presence', id })
  one.text('a.txt').insert(0, 'x')
  await poll(() => heard).toContainEqual({ type: 'file-changed', id })
  await poll(() => heard).toContainEqual({ type: 'version-made', id })
  heard.length = 0
  one.drop()
  await poll(() => heard).toContainEqual({ type: 'presence', id })
  socket.close()
})

test('access that is taken away ends the socket within five seconds, and a lesser role is told', async () => {
  const id = await make()
  const person = await server.invite(owner, 'editor')
  const one = join(person, id)
  await one.stored()
  const params = { personId: person.me.person.id }
  await owner.call(routes.teams.changeRole, { params, body: { role: 'viewer' } })
  await expectInTime(() =>
    one.closings.some(({ code, reason }) => code === 4409 && reason === 'your rights have changed'),
  )
  await poll(() => one.provider.authorizedScope).toBe('readonly')
  await one.stored()
  await owner.call(routes.teams.removeMember, { params })
  await expectInTime(() => codesOf(one).includes(4403))
})

/** Within five seconds, and as many times longer as the machine is busy. */
async function expectInTime(isSo: () => boolean): Promise<void> {
  const machine = watchStretch()
  const began = performance.now()
  await poll(isSo).toBe(true)
  expect(performance.now() - began).toBeLessThan(5000 * machine.stop())
}

test('archived and deleted workspaces and those of others are refused, and open sockets end', async () => {
  const id = await make()
  const one = join(owner, id)
  one.text('a.txt').insert(0, 'x')
  await one.stored()
  await owner.call(route.update, { params: { id }, body: { archived: true } })
  await poll(() => codesOf(one)).toContain(4409)
  one.drop()
  expect(await statusOf(id, owner)).toBe(409)
  await owner.call(route.update, { params: { id }, body: { archived: false } })
  one.connect()
  await one.stored()
  await owner.call(route.remove, { params: { id } })
  await poll(() => codesOf(one)).toContain(4404)
  one.drop()
  expect(await statusOf(id, owner)).toBe(404)
  const other = await make()
  expect(await statusOf(other)).toBe(401)
  expect(await statusOf(other, owner, { origin: 'https://evil.example' })).toBe(403)
  expect(await statusOf(other, undefined, { cookie: owner.cookie() })).toBe(403)
  expect(await statusOf(`wsp_${'0'.repeat(24)}`, owner)).toBe(404)
  const stranger = await server.invite(owner, 'viewer')
  const team = await stranger.call(routes.teams.create, { body: { name: 'Strangers' } })
  await stranger.call(routes.signIn.switchTeam, { body: { teamId: team.id } })
  expect(await statusOf(other, stranger)).toBe(404)
})

// a whole server starts and stops within it
test('two server processes serve the same document', async () => {
  const directory = await makeTestDirectory()
  const other = await startServerProcess({
    COHEREX_DATA_DIR: directory.path,
    DATABASE_URL: server.database.url,
    COHEREX_SECRET_KEY: secretKey,
    COHEREX_BLOB_DIR: `${server.dataDirectory}/blobs`,
    COHEREX_WARM: 'false',
  })
  try {
    const id = await make()
    // what is no text is in the folder that both share
    await owner.call(route.writeFile, { params: { id, path: 'x.bin' }, body: new Uint8Array([0, 255]) })
    const there = await fetch(`${other.url}/api/v1/workspaces/${id}/files/x.bin`, {
      headers: { cookie: owner.cookie() },
    })
    expect([there.status, [...(await there.bytes())]]).toEqual([200, [0, 255]])
    const [one, two] = [join(owner, id), join(editor, id, other.url)]
    one.text('a.txt').insert(0, 'from the first, ')
    await poll(() => two.read('a.txt')).toBe('from the first, ')
    two.text('a.txt').insert(16, 'from the second, ')
    await poll(() => one.read('a.txt')).toBe('from the first, from the second, ')
    // without waiting for each other
    for (let round = 0; round < 20; round++) {
      one.text('a.txt').insert(0, '1')
      two.text('a.txt').insert(two.text('a.txt').length, '2')
    }
    await Promise.all([one.stored(), two.stored()])
    const whole = `${'1'.repeat(20)}from the first, from the second, ${'2'.repeat(20)}`
    await poll(() => [one, two].map((client) => client.read('a.txt'))).toEqual([whole, whole])
    expect(await read(id, 'a.txt')).toBe(whole)

    // each sees who is there through the other process, under the name that its server gave them
    one.provider.awareness?.setLocalState({ file: 'a.txt', cursor: 1 })
    two.provider.awareness?.setLocalState({ user: { name: 'Olga Owner' }, file: 'a.txt', cursor: 2 })
    const seenBy = (client: SyncClient, whom: SyncClient) =>
      client.provider.awareness?.getStates().get(whom.doc.clientID)
    await poll(() => seenBy(one, two)).toMatchObject({ user: { name: editor.me.person.name }, cursor: 2 })
    await poll(() => seenBy(two, one)).toMatchObject({ user: { name: 'Olga Owner' }, cursor: 1 })
    // what cannot be stored is replaced, and keeps nobody from being seen
    two.provider.awareness?.setLocalState({ file: 'b.txt', cursor: 'a\0b\ud800' })
    await poll(() => seenBy(one, two)).toMatchObject({ file: 'b.txt', cursor: 'a\ufffdb\ufffd' })
    two.provider.awareness?.setLocalState({ file: 'b.txt', cursor: 3 })
    await poll(() => seenBy(one, two)).toMatchObject({ file: 'b.txt', cursor: 3 })
    // and a third who comes later sees both
    const three = join(viewer, id)
    await poll(() => [seenBy(three, one), seenBy(three, two)]).toMatchObject([{ cursor: 1 }, { cursor: 3 }])
    two.drop()
    await poll(() => seenBy(one, two)).toBe(undefined)
    expect(seenBy(one, one)).toMatchObject({ cursor: 1 })
  } finally {
    other.kill('SIGTERM')
    await other.ended
    await directory.remove()
  }
}, 180_000)

/** How the server answers an attempt to open a socket; 101 when it does. */
function statusOf(id: string, person?: TestPerson, more: Record<string, string> = {}): Promise<number> {
  const headers = { ...(person ? person.socketHeaders() : {}), ...more }
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/sync/${id}`, { headers })
  return new Promise((resolve) => {
    socket.on('error', () => undefined)
    socket.on('unexpected-response', (_request, response) => resolve(response.statusCode ?? 0))
    socket.on('open', () => {
      socket.close()
      resolve(101)
    })
  })
}
