import { routes } from '@coherex/contract'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { startTestServer, type TestPerson, type TestServer } from '../harness/test-server.ts'

const hourMs = 3_600_000
let server: TestServer
let owner: TestPerson

beforeAll(async () => {
  server = await startTestServer()
  owner = await server.owner()
})
afterEach(() => void vi.useRealTimers())
afterAll(() => server.stop())

const makeKey = (scopes: ('read' | 'run' | 'write' | 'admin')[], who = owner) =>
  who.call(routes.keys.create, { body: { name: 'for a test', scopes } })
const team = (headers: Record<string, string>, path = '/api/v1/team') => fetch(server.url + path, { headers })

describe('a key', () => {
  test('is shown once and is nowhere in the database', async () => {
    const { key, id, start } = await makeKey(['read'])
    expect(key).toMatch(/^chx_[\w-]{32}$/)
    expect(key.startsWith(start)).toBe(true)
    expect(start.length).toBeLessThan(12)
    const { items } = await owner.call(routes.keys.list, {})
    expect(JSON.stringify(items)).not.toContain(key)
    const superuser = await server.database.superuser()
    const { rows } = await superuser.query('SELECT * FROM coherex.api_key WHERE id = $1', [id])
    const audit = await superuser.query('SELECT * FROM coherex.audit_event')
    await superuser.end()
    expect(rows).toHaveLength(1)
    expect(JSON.stringify([rows, audit.rows])).not.toContain(key.slice(8))
  })

  test('counts as a bearer token and in no other place', async () => {
    const { key } = await makeKey(['admin'])
    expect((await team({ authorization: `Bearer ${key}` })).status).toBe(200)
    expect((await team({ authorization: `bearer ${key}` })).status).toBe(200)
    const places: Record<string, string>[] = [
      { authorization: key },
      { authorization: `Basic ${Buffer.from(`x:${key}`).toString('base64')}` },
      { authorization: `Token ${key}` },
      { authorization: `Bearer ${key} ` + 'x' },
      { authorization: `Bearer ${key},Bearer ${key}` },
      { 'x-api-key': key },
      { 'x-auth-token': key },
      { 'api-key': key },
      { 'proxy-authorization': `Bearer ${key}` },
      { cookie: `coherex.session_token=${key}` },
      { cookie: `key=${key}; authorization=Bearer ${key}` },
    ]
    for (const headers of places) expect((await team(headers)).status, JSON.stringify(Object.keys(headers))).toBe(401)
    for (const name of ['key', 'api_key', 'access_token', 'token', 'authorization']) {
      expect((await team({}, `/api/v1/team?${name}=${key}`)).status, name).toBe(401)
    }
  })

  test('that is wrong is refused also beside a good session', async () => {
    const response = await owner.fetch('/api/v1/me', { headers: { authorization: `Bearer chx_${'x'.repeat(32)}` } })
    expect(response.status).toBe(401)
  })

  test('cannot make one with more than it has, nor sign in, change passwords or switch teams', async () => {
    const { key } = await makeKey(['write'])
    await expect(
      server.withKey(key)(routes.keys.create, { body: { name: 'more', scopes: ['admin'] } }),
    ).rejects.toMatchObject({ code: 'forbidden' })
    const admin = server.withKey((await makeKey(['admin'])).key)
    await expect(admin(routes.signIn.listSessions, {})).rejects.toMatchObject({ code: 'forbidden' })
    await expect(
      admin(routes.signIn.changePassword, { body: { currentPassword: owner.password, newPassword: 'x'.repeat(12) } }),
    ).rejects.toMatchObject({ code: 'forbidden' })
  })

  test('is bound to its person’s role as it is now', async () => {
    const person = await server.invite(owner, 'admin')
    const { key } = await makeKey(['admin'], person)
    const byKey = server.withKey(key)
    expect((await byKey(routes.audit.list, { query: { limit: 1 } })).items).toHaveLength(1)
    const params = { personId: person.me.person.id }
    await owner.call(routes.teams.changeRole, { params, body: { role: 'viewer' } })
    await expect(byKey(routes.audit.list, {})).rejects.toMatchObject({ code: 'forbidden' })
    expect((await byKey(routes.teams.current, {})).name).toBe('First team')
  })

  test('ends at once: revoked, with its time, with its person, however often it was just used', async () => {
    const person = await server.invite(owner, 'editor')
    const revoked = await makeKey(['read'])
    const removed = await makeKey(['read'], person)
    const expiring = await owner.call(routes.keys.create, {
      body: { name: 'short', scopes: ['read'], expiresAt: new Date(Date.now() + hourMs).toISOString() },
    })
    for (const { key } of [revoked, removed, expiring]) {
      for (let times = 0; times < 5; times++) {
        expect((await team({ authorization: `Bearer ${key}` })).status).toBe(200)
      }
    }
    await owner.call(routes.keys.revoke, { params: { id: revoked.id } })
    expect((await team({ authorization: `Bearer ${revoked.key}` })).status).toBe(401)
    await owner.call(routes.teams.removeMember, { params: { personId: person.me.person.id } })
    expect((await team({ authorization: `Bearer ${removed.key}` })).status).toBe(401)
    // the clock of the server, which is in this process
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hourMs })
    expect((await team({ authorization: `Bearer ${expiring.key}` })).status).toBe(401)
  })

  test('that would have expired already, or for ever ago, is not made', async () => {
    for (const expiresAt of ['2020-01-01T00:00:00Z', '0000-01-01T00:00:00Z']) {
      await expect(
        owner.call(routes.keys.create, { body: { name: 'old', scopes: ['read'], expiresAt } }),
      ).rejects.toMatchObject({ code: 'invalid_input' })
    }
  })
})

describe('a secret', () => {
  test('is never told again, by any route, whoever asks', async () => {
    const value = 'sk-live-abcdefgh-CANARY-1234'
    const stored = await owner.call(routes.secrets.put, { params: { name: 'PAYMENT_KEY' }, body: { value } })
    expect(stored.hint).toBe('1234')
    const short = await owner.call(routes.secrets.put, { params: { name: 'PIN' }, body: { value: 'CANARY4' } })
    expect(short.hint).toBe('')
    const gets = Object.values(routes)
      .flatMap((group) => Object.values(group))
      .filter((one) => one.method === 'get')
    for (const { path } of gets.filter((one) => !one.path.includes('{') && !one.path.endsWith('/events'))) {
      expect(await (await owner.fetch(`${path}?limit=200`)).text(), path).not.toContain('CANARY')
    }
    expect((await owner.fetch('/api/v1/secrets/PAYMENT_KEY')).status).toBe(405)
  })

  test('lies sealed in the database', async () => {
    const superuser = await server.database.superuser()
    const { rows } = await superuser.query<{ sealed: Buffer }>('SELECT sealed FROM coherex.secret')
    const { rows: keys } = await superuser.query<{ sealed: Buffer }>('SELECT sealed FROM coherex.team_key')
    const { rows: audit } = await superuser.query('SELECT * FROM coherex.audit_event')
    await superuser.end()
    expect(rows.length).toBeGreaterThan(1)
    for (const { sealed } of [...rows, ...keys]) expect(sealed.includes('CANARY')).toBe(false)
    expect(JSON.stringify(audit)).not.toContain('CANARY')
  })
})
