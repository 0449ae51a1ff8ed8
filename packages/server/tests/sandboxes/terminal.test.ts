import { once } from 'node:events'
import { routes, socketClose } from '@coherex/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { watchStretch } from '../harness/load/machine-stretch.ts'
import { startTestServer, type TestPerson, type TestServer } from '../harness/test-server.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

let server: TestServer
let owner: TestPerson
let id: string

beforeAll(async () => {
  server = await startTestServer()
  owner = await server.owner()
  id = (await owner.call(routes.sandboxes.create, { body: {} })).id
})
afterAll(() => server.stop())

const address = (query = '') => `${server.url.replace('http', 'ws')}/api/v1/sandboxes/${id}/terminal${query}`

async function openTerminal(headers: Record<string, string>, query = '') {
  const socket = new WebSocket(address(query), { headers })
  let screen = ''
  const said: unknown[] = []
  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) screen += data.toString()
    else said.push(JSON.parse(data.toString()))
  })
  const closed = new Promise<number>((resolve) => socket.once('close', resolve))
  await once(socket, 'open')
  return {
    socket,
    said,
    closed,
    type: (text: string) => socket.send(Buffer.from(text)),
    shows: (text: string | RegExp) => expect.poll(() => screen, { timeout: 15_000 }).toMatch(text),
  }
}

async function terminals(): Promise<number> {
  const { items } = await owner.call(routes.sandboxes.listProcesses, { params: { id } })
  return items.filter((one) => one.isTerminal && !one.exit).length
}

async function refusal(headers: Record<string, string>, query = ''): Promise<number> {
  const socket = new WebSocket(address(query), { headers })
  socket.on('error', () => undefined)
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode: number }]
  socket.terminate()
  return response.statusCode
}

test('a shell is typed into, resized and left', async () => {
  const shell = await openTerminal(owner.socketHeaders(), '?columns=100&rows=30')
  shell.type('stty size\n')
  await shell.shows('30 100')
  shell.socket.send(JSON.stringify({ type: 'resize', columns: 60, rows: 20 }))
  shell.type('stty size; echo $((6 * 7)) > answer.txt\n')
  await shell.shows('20 60')
  // Ctrl-C stops what runs and not the shell; it does run when it has said something that was not typed
  shell.type('(echo begun $((6 * 7)); exec sleep 600)\n')
  await shell.shows('begun 42')
  shell.type('\u0003')
  shell.type('exit 3\n')
  expect(await shell.closed).toBe(1000)
  expect(shell.said).toEqual([
    { type: 'open', process: expect.any(Number) },
    { type: 'exit', code: 3, signal: null },
  ])
  const file = await owner.fetch(`/api/v1/sandboxes/${id}/files/answer.txt`)
  expect(await file.text()).toBe('42\n')
})

test('a shell ends with its socket', async () => {
  const shell = await openTerminal(owner.socketHeaders())
  shell.type('echo ready\n')
  await shell.shows('ready')
  shell.socket.close()
  await expect.poll(terminals).toBe(0)
})

test('a shell that is kept goes on without its socket, and two who come back share it', async () => {
  const left = await openTerminal(owner.socketHeaders(), '?keep=true')
  left.type('kept=still; echo here-$kept; (sleep 1; echo later-$kept) &\n')
  await left.shows('here-still')
  const { process } = left.said[0] as { process: number }
  left.socket.close()
  await left.closed
  const back = await openTerminal(owner.socketHeaders(), `?keep=true&process=${process}&columns=70&rows=20`)
  await back.shows(/here-still[\s\S]*later-still/)
  const other = await openTerminal(owner.socketHeaders(), `?process=${process}`)
  other.type('echo $kept-$((6 * 7))\n')
  await back.shows('still-42')
  await other.shows('still-42')
  other.socket.close()
  back.type('exit\n')
  expect(await back.closed).toBe(1000)
  expect(await refusal(owner.socketHeaders(), `?process=${process}`)).toBe(404)

  // nobody who lost access leaves a shell behind
  const editor = await server.invite(owner, 'editor')
  const theirs = await openTerminal(editor.socketHeaders(), '?keep=true')
  theirs.type('echo ready\n')
  await theirs.shows('ready')
  await owner.call(routes.teams.changeRole, { params: { personId: editor.me.person.id }, body: { role: 'viewer' } })
  await theirs.closed
  await expect.poll(terminals).toBe(0)
})

test('it takes an editor of the team, from our own pages', async () => {
  const viewer = await server.invite(owner, 'viewer')
  const { key } = await owner.call(routes.keys.create, { body: { name: 'reads', scopes: ['read'] } })
  const stranger = await server.invite(owner, 'editor')
  const team = await stranger.call(routes.teams.create, { body: { name: 'Others' } })
  await stranger.call(routes.signIn.switchTeam, { body: { teamId: team.id } })
  expect({
    nobody: await refusal({}),
    viewer: await refusal(viewer.socketHeaders()),
    'key that reads': await refusal({ authorization: `Bearer ${key}` }),
    stranger: await refusal(stranger.socketHeaders()),
    'another site': await refusal({ ...owner.socketHeaders(), origin: 'https://evil.example' }),
    'a cookie without a page': await refusal({ cookie: owner.cookie() }),
    'a page without origin': await refusal({ ...owner.socketHeaders(), origin: 'null' }),
    'no size': await refusal(owner.socketHeaders(), '?columns=0'),
  }).toEqual({
    nobody: 401,
    viewer: 403,
    'key that reads': 403,
    stranger: 404,
    'another site': 403,
    'a cookie without a page': 403,
    'a page without origin': 403,
    'no size': 400,
  })
})

test('whoever loses access loses the terminal within five seconds', async () => {
  const editor = await server.invite(owner, 'editor')
  const shell = await openTerminal(editor.socketHeaders())
  const machine = watchStretch()
  const since = performance.now()
  await owner.call(routes.teams.changeRole, { params: { personId: editor.me.person.id }, body: { role: 'viewer' } })
  expect(await shell.closed).toBe(socketClose.forbidden)
  expect(performance.now() - since).toBeLessThan(5000 * machine.stop())
})
