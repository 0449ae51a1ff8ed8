import { once } from 'node:events'
import { routes } from '@coherex/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { watchStretch } from '../harness/load/machine-stretch.ts'
import { startTestServer, type TestPerson, type TestServer } from '../harness/test-server.ts'

let server: TestServer
let owner: TestPerson

beforeAll(async () => {
  server = await startTestServer()
  owner = await server.owner()
})
afterAll(() => server.stop())

interface Listener {
  socket: WebSocket
  heard: { type: string; id: string | null }[]
  /** The close code, and how long after this was asked for it came. */
  /** The machine may have been busy: what is left to do once it is noticed takes as many times longer. */
  closed(): Promise<{ code: number; afterMs: number; stretch: number }>
  hears(type: string): Promise<void>
}

async function listen(headers: Record<string, string>): Promise<Listener> {
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/events`, { headers })
  const heard: Listener['heard'] = []
  const ended = new Promise<number>((resolve) => socket.on('close', resolve))
  socket.on('message', (data: Buffer) => heard.push(JSON.parse(data.toString()) as Listener['heard'][number]))
  await once(socket, 'open')
  return {
    socket,
    heard,
    async closed() {
      const machine = watchStretch()
      const asked = performance.now()
      const code = await ended
      return { code, afterMs: performance.now() - asked, stretch: machine.stop() }
    },
    async hears(type) {
      await expect.poll(() => heard.map((one) => one.type)).toContain(type)
    },
  }
}

/** The status with which an upgrade is refused. */
async function refusal(headers: Record<string, string>, path = '/events'): Promise<number> {
  const socket = new WebSocket(server.url.replace('http', 'ws') + path, { headers })
  const [, response] = (await once(socket, 'unexpected-response')) as [unknown, { statusCode: number }]
  socket.on('error', () => undefined)
  socket.terminate()
  return response.statusCode
}

describe('who may listen', () => {
  test('a viewer by session, and a key that may read', async () => {
    const viewer = await server.invite(owner, 'viewer')
    const { key } = await viewer.call(routes.keys.create, { body: { name: 'listener', scopes: ['read'] } })
    const ways: Record<string, string>[] = [viewer.socketHeaders(), { authorization: `Bearer ${key}` }]
    for (const headers of ways) {
      const listener = await listen(headers)
      listener.socket.close()
      expect((await listener.closed()).code).toBe(1005)
    }
  })

  test('nobody else', async () => {
    const removed = await server.invite(owner, 'viewer')
    await owner.call(routes.teams.removeMember, { params: { personId: removed.me.person.id } })
    expect(await refusal({})).toBe(401)
    expect(await refusal({ cookie: 'coherex.session_token=made.up', origin: server.url })).toBe(401)
    expect(await refusal({ authorization: `Bearer chx_${'x'.repeat(32)}` })).toBe(401)
    // signed in, and of no team
    expect(await refusal(removed.socketHeaders())).toBe(403)
  })

  test('no page of another site, and nobody under another name', async () => {
    const cookie = owner.cookie()
    for (const origin of ['https://evil.example', 'null', `${server.url}.evil.example`, 'http://127.0.0.1:1']) {
      expect(await refusal({ cookie, origin }), origin).toBe(403)
    }
    expect(await refusal({ cookie, host: 'evil.example' })).toBe(403)
    expect(await refusal({ cookie })).toBe(403)
    const listener = await listen({ cookie, origin: server.url })
    listener.socket.close()
  })

  test('only there', async () => {
    expect(await refusal(owner.socketHeaders(), '/api/v1/me')).toBe(404)
    expect(await refusal(owner.socketHeaders(), '/eventsx')).toBe(404)
  })
})

test('events reach the team they concern and no other', async () => {
  const other = await server.invite(owner, 'viewer')
  const team = await other.call(routes.teams.create, { body: { name: 'Elsewhere' } })
  await other.call(routes.signIn.switchTeam, { body: { teamId: team.id } })
  const [ours, theirs] = [await listen(owner.socketHeaders()), await listen(other.socketHeaders())]

  const secret = await owner.call(routes.secrets.put, { params: { name: 'OURS' }, body: { value: 'ours' } })
  await ours.hears('secret')
  await other.call(routes.secrets.put, { params: { name: 'THEIRS' }, body: { value: 'theirs' } })
  await theirs.hears('secret')
  expect(ours.heard.filter((one) => one.type === 'secret')).toEqual([{ type: 'secret', id: secret.id }])
  expect(theirs.heard.filter((one) => one.type === 'secret')).toHaveLength(1)
  expect(theirs.heard).not.toContainEqual({ type: 'secret', id: secret.id })
  ours.socket.close()
  theirs.socket.close()
})

test('verbs publish changes of templates, approval rules and secrets of triggers', async () => {
  const source =
    'kind: agent\nname: hooked\ndescription: Waits\ninstructions: Handle it.\ntriggers: [{ webhook: {} }]\n'
  await owner.call(routes.agents.create, { body: { source } })
  const { items } = await owner.call(routes.triggers.list, { params: { name: 'hooked' } })
  const { heard, socket } = await listen(owner.socketHeaders())

  await owner.call(routes.triggers.makeSecret, { params: { name: 'hooked', id: items[0]?.id ?? '' }, body: {} })
  await owner.call(routes.approvals.setRules, { body: { rules: {} } })
  await owner.call(routes.templates.build, { body: { name: 'plain' } })
  await owner.call(routes.templates.remove, { params: { name: 'plain' } })
  await expect
    .poll(() => heard)
    .toEqual([
      { type: 'agent', id: 'hooked' },
      { type: 'approval', id: null },
      { type: 'template', id: 'plain' },
      { type: 'template', id: 'plain' },
    ])
  socket.close()
})

describe('a socket ends within five seconds', () => {
  test.each<[string, number, (person: TestPerson) => Promise<unknown>]>([
    ['of being removed', 4403, async (person) => owner.call(routes.teams.removeMember, { params: idOf(person) })],
    ['of leaving', 4403, async (person) => person.call(routes.teams.removeMember, { params: idOf(person) })],
    ['of signing out', 4401, async (person) => person.call(routes.signIn.out, {})],
    [
      'of a password change elsewhere',
      4401,
      async (person) => {
        const other = server.browser()
        const { email, password } = person
        await other.call(routes.signIn.withPassword, { body: { email, password } })
        const body = { currentPassword: password, newPassword: 'changed elsewhere' }
        await other.call(routes.signIn.changePassword, { body })
      },
    ],
    [
      'of a reset',
      4401,
      async (person) => {
        const { link } = await owner.call(routes.signIn.resetMember, { params: idOf(person) })
        const body = { token: link?.split('/').at(-1) ?? '', password: 'reset meanwhile' }
        await server.browser().call(routes.signIn.resetPassword, { body })
      },
    ],
    [
      'of being signed out from another browser',
      4401,
      async (person) => {
        const { items } = await person.call(routes.signIn.listSessions, {})
        const id = items.find((one) => one.current)?.id ?? ''
        const other = server.browser()
        await other.call(routes.signIn.withPassword, { body: { email: person.email, password: person.password } })
        await other.call(routes.signIn.endSession, { params: { id } })
      },
    ],
    [
      'of the end of its session in the database, which nobody announced',
      4401,
      async (person) => {
        const superuser = await server.database.superuser()
        await superuser.query('DELETE FROM coherex_auth.session WHERE person_id = $1', [person.me.person.id])
        await superuser.end()
      },
    ],
  ])('%s', async (_, code, take) => {
    const person = await server.invite(owner, 'viewer')
    const listener = await listen(person.socketHeaders())
    await take(person)
    const end = await listener.closed()
    expect(end.code).toBe(code)
    expect(end.afterMs).toBeLessThan(5000 * end.stretch)
  })

  test('of the revocation of its key', async () => {
    const { id, key } = await owner.call(routes.keys.create, { body: { name: 'listener', scopes: ['read'] } })
    const listener = await listen({ authorization: `Bearer ${key}` })
    await owner.call(routes.keys.revoke, { params: { id } })
    expect(await listener.closed()).toMatchObject({ code: 4401 })
  })

  test('of the end of its team', async () => {
    const person = await server.invite(owner, 'viewer')
    const team = await person.call(routes.teams.create, { body: { name: 'Brief' } })
    await person.call(routes.signIn.switchTeam, { body: { teamId: team.id } })
    const listener = await listen(person.socketHeaders())
    await person.call(routes.teams.remove, { query: { name: 'Brief' } })
    const end = await listener.closed()
    expect(end.code).toBe(4403)
    expect(end.afterMs).toBeLessThan(5000 * end.stretch)
  })
})

describe('a client that talks', () => {
  test('too much at once is cut off', async () => {
    const listener = await listen(owner.socketHeaders())
    listener.socket.on('error', () => undefined)
    listener.socket.send('x'.repeat(5000))
    expect((await listener.closed()).code).toBe(1009)
  })

  test.each(['messages', 'pings'] as const)('in too many %s is cut off', async (kind) => {
    const listener = await listen(owner.socketHeaders())
    listener.socket.on('error', () => undefined)
    for (let number = 0; number < 200; number++) {
      if (listener.socket.readyState !== WebSocket.OPEN) break
      if (kind === 'messages') listener.socket.send('hello')
      else listener.socket.ping()
    }
    expect((await listener.closed()).code).toBe(1008)
  })

  test('nonsense once in a while is not: nothing it says is read', async () => {
    const listener = await listen(owner.socketHeaders())
    listener.socket.send('{"__proto__":{"isAdmin":true}}')
    await owner.call(routes.secrets.put, { params: { name: 'AFTER' }, body: { value: 'nonsense' } })
    await listener.hears('secret')
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined()
    listener.socket.close()
  })

  test('one person may hold fifty sockets and no more', async () => {
    const viewer = await server.invite(owner, 'viewer')
    const all = await Promise.all(Array.from({ length: 50 }, () => listen(viewer.socketHeaders())))
    expect(await refusal(viewer.socketHeaders())).toBe(429)
    all[0]?.socket.close()
    await all[0]?.closed()
    const again = await listen(viewer.socketHeaders())
    for (const { socket } of [...all, again]) socket.close()
  })
})

function idOf(person: TestPerson) {
  return { personId: person.me.person.id }
}
