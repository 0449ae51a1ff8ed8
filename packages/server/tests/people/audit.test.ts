import { routes } from '@coherex/contract'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { prune } from '../../src/access/index.ts'
import { openStore, parseDatabaseUrl } from '../../src/base/index.ts'
import { startTestServer, type TestPerson, type TestServer } from '../harness/test-server.ts'

let server: TestServer
let owner: TestPerson

beforeAll(async () => {
  server = await startTestServer()
  owner = await server.owner()
})
afterAll(() => server.stop())

const actions = async () => {
  const { items } = await owner.call(routes.audit.list, { query: { limit: 200 } })
  return items.map((one) => one.action)
}

/** Each change a person can make, and what the log calls it. */
const changes: Record<string, (person: TestPerson) => Promise<unknown>> = {
  'team.rename': () => owner.call(routes.teams.rename, { body: { name: 'First team' } }),
  'invitation.create': () => owner.call(routes.teams.invite, { body: { email: 'i@example.com', role: 'viewer' } }),
  'invitation.revoke': async () => {
    const { items } = await owner.call(routes.teams.listInvitations, {})
    await owner.call(routes.teams.revokeInvitation, { params: { id: items[0]?.id ?? '' } })
  },
  'member.join': () => server.invite(owner, 'viewer'),
  'member.role': (person) =>
    owner.call(routes.teams.changeRole, { params: { personId: person.me.person.id }, body: { role: 'viewer' } }),
  'password.reset-link': (person) =>
    owner.call(routes.signIn.resetMember, { params: { personId: person.me.person.id } }),
  'person.rename': (person) => person.call(routes.signIn.updateMe, { body: { name: 'Someone' } }),
  'password.change': (person) =>
    person.call(routes.signIn.changePassword, {
      body: { currentPassword: person.password, newPassword: 'changed for the log' },
    }),
  'sign-in': (person) =>
    server
      .browser()
      .call(routes.signIn.withPassword, { body: { email: person.email, password: 'changed for the log' } }),
  'sign-in.fail': (person) =>
    server
      .browser()
      .call(routes.signIn.withPassword, { body: { email: person.email, password: 'wrong' } })
      .catch(() => undefined),
  'session.end': async (person) => {
    const { items } = await person.call(routes.signIn.listSessions, {})
    await person.call(routes.signIn.endSession, { params: { id: items.find((one) => !one.current)?.id ?? '' } })
  },
  'key.create': () => owner.call(routes.keys.create, { body: { name: 'logged', scopes: ['read'] } }),
  'key.revoke': async () => {
    const { items } = await owner.call(routes.keys.list, {})
    await owner.call(routes.keys.revoke, { params: { id: items[0]?.id ?? '' } })
  },
  'secret.create': () => owner.call(routes.secrets.put, { params: { name: 'LOGGED' }, body: { value: 'one' } }),
  'secret.replace': () => owner.call(routes.secrets.put, { params: { name: 'LOGGED' }, body: { value: 'two' } }),
  'secret.delete': () => owner.call(routes.secrets.remove, { params: { name: 'LOGGED' } }),
  'quota.change': () => owner.call(routes.teams.setQuotas, { body: { members: 40 } }),
  'password.reset': async (person) => {
    const { link } = await owner.call(routes.signIn.resetMember, { params: { personId: person.me.person.id } })
    const body = { token: link?.split('/').at(-1) ?? '', password: 'reset for the log' }
    await server.browser().call(routes.signIn.resetPassword, { body })
  },
  'sign-out': async (person) => {
    const body = { email: person.email, password: 'reset for the log' }
    await person.call(routes.signIn.withPassword, { body })
    await person.call(routes.signIn.out, {})
  },
  'member.remove': (person) => owner.call(routes.teams.removeMember, { params: { personId: person.me.person.id } }),
  'member.leave': async () => {
    const leaver = await server.invite(owner, 'viewer')
    await leaver.call(routes.teams.removeMember, { params: { personId: leaver.me.person.id } })
  },
}

test('each change is in the log, once, with who, on what, when and from where', async () => {
  const person = await server.invite(owner, 'editor')
  for (const [action, change] of Object.entries(changes)) {
    const before = (await actions()).filter((one) => one === action).length
    await change(person)
    // a failed sign-in is recorded after its answer, so that the time of the answer tells nothing
    await expect
      .poll(async () => [action, (await actions()).filter((one) => one === action).length])
      .toEqual([action, before + 1])
  }
  const { items } = await owner.call(routes.audit.list, { query: { limit: 200 } })
  expect(items.map((one) => one.action)).toEqual(expect.arrayContaining(['setup.finish', 'team.create']))
  for (const event of items.filter((one) => one.actor.kind !== 'system')) {
    expect({
      ...event,
      known: Boolean(event.actor.id && event.actor.name && event.ip && event.requestId),
    }).toMatchObject({ known: true, ip: '127.0.0.1' })
    expect(Date.now() - Date.parse(event.at)).toBeLessThan(300_000)
  }
})

test('reading leaves no trace, and a refused change neither', async () => {
  const viewer = await server.invite(owner, 'viewer')
  const before = await actions()
  await viewer.call(routes.teams.listMembers, {})
  await expect(viewer.call(routes.teams.rename, { body: { name: 'Mine now' } })).rejects.toThrow()
  expect(await actions()).toEqual(before)
})

test('a key is told apart from its person', async () => {
  const { key, id } = await owner.call(routes.keys.create, { body: { name: 'actor', scopes: ['admin'] } })
  await server.withKey(key)(routes.teams.rename, { body: { name: 'First team' } })
  const { items } = await owner.call(routes.audit.list, { query: { actorId: id } })
  expect(items.map((one) => [one.action, one.actor.kind, one.actor.name])).toEqual([
    ['team.rename', 'key', owner.me.person.name],
  ])
})

describe('the log', () => {
  test('is searched and filtered', async () => {
    await owner.call(routes.secrets.put, { params: { name: 'FOUND_ME' }, body: { value: 'x' } })
    const find = async (query: Record<string, string>) =>
      (await owner.call(routes.audit.list, { query })).items.map((one) => one.target?.name)
    expect(await find({ search: 'found_me' })).toEqual(['FOUND_ME'])
    expect(await find({ search: 'found%me' })).toEqual([])
    expect(await find({ action: 'secret.create', search: 'FOUND_ME' })).toEqual(['FOUND_ME'])
    expect(await find({ action: 'secret', search: 'FOUND_ME' })).toEqual(['FOUND_ME'])
    expect(await find({ action: 'secre', search: 'FOUND_ME' })).toEqual([])
    const [event] = (await owner.call(routes.audit.list, { query: { search: 'FOUND_ME' } })).items
    const at = Date.parse(event?.at ?? '')
    const around = (from: number, to: number) => ({
      search: 'FOUND_ME',
      from: new Date(at + from).toISOString(),
      to: new Date(at + to).toISOString(),
    })
    expect(await find(around(-1000, 1000))).toEqual(['FOUND_ME'])
    expect(await find(around(1000, 2000))).toEqual([])
    expect(await find(around(-2000, -1000))).toEqual([])
    expect(await find({ from: '0000-01-01T00:00:00Z', to: '9999-12-31T23:59:59Z', search: 'FOUND_ME' })).toHaveLength(1)
  })

  test('is exported as CSV that no spreadsheet computes, as JSON and as JSON Lines', async () => {
    const name = '=HYPERLINK("http://evil.example","click")'
    await owner.call(routes.teams.rename, { body: { name } })
    const { items } = await owner.call(routes.audit.list, { query: { limit: 200 } })
    const csv = await owner.fetch('/api/v1/audit/export')
    expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8')
    expect(csv.headers.get('content-disposition')).toBe('attachment; filename="audit.csv"')
    const text = await csv.text()
    const lines = text.trimEnd().split('\r\n')
    expect(lines).toHaveLength(items.length + 1)
    expect(text).toContain(`"'=HYPERLINK(""http://evil.example"",""click"")"`)
    expect(text).not.toMatch(/(^|,)"?[=+@]/m)

    const ofTeam = items.filter((one) => one.action.startsWith('team.'))
    const json = await owner.fetch('/api/v1/audit/export?format=json&action=team')
    expect(json.headers.get('content-type')).toBe('application/json')
    expect(json.headers.get('content-disposition')).toBe('attachment; filename="audit.json"')
    expect(await json.json()).toEqual(ofTeam)
    const nothing = await owner.fetch('/api/v1/audit/export?format=json&action=nothing-of-the-kind')
    expect(await nothing.json()).toEqual([])

    const jsonLines = await owner.fetch('/api/v1/audit/export?format=jsonl&action=team')
    expect(jsonLines.headers.get('content-type')).toBe('application/x-ndjson')
    expect(jsonLines.headers.get('content-disposition')).toBe('attachment; filename="audit.jsonl"')
    const told = (await jsonLines.text()).trimEnd().split('\n')
    expect(told.map((line) => JSON.parse(line) as object)).toEqual(ofTeam)
    await owner.call(routes.teams.rename, { body: { name: 'First team' } })
  })

  test('cannot be changed by the role that serves requests', async () => {
    const store = await openStore({ owner: parseDatabaseUrl(server.database.url), log: pino({ level: 'silent' }) })
    const pool = store.database.poolFor('coherex')
    const teamId = owner.me.team?.id ?? ''
    await expect(pool.query(`UPDATE audit_event SET actor_name = 'nobody'`)).rejects.toThrow('permission denied')
    await store.database.transaction({ team: teamId }, (transaction) =>
      transaction.execute('DELETE FROM coherex.audit_event'),
    )
    await store.database.close()
    expect((await actions()).length).toBeGreaterThan(20)
  })

  test('keeps ninety days and forgets what is older, in every team', async () => {
    const superuser = await server.database.superuser()
    const insert = (id: string, days: number) =>
      superuser.query(
        `INSERT INTO coherex.audit_event (team_id, id, at, actor_kind, actor_name, action)
         SELECT team_id, $1, now() - make_interval(days => $2, hours => 1), 'system', 'Old', 'old.test' FROM coherex.team`,
        [id, days],
      )
    await insert('aud_00000000000000000000000089', 89)
    await insert('aud_00000000000000000000000091', 90)
    await superuser.query(
      `UPDATE coherex_auth.session SET expires_at = now() - interval '1 day' WHERE person_id <> $1`,
      [owner.me.person.id],
    )
    const store = await openStore({ owner: parseDatabaseUrl(server.database.url), log: pino({ level: 'silent' }) })
    await prune(store.database, { auditDays: 90 })
    await store.database.close()
    const { rows } = await superuser.query<{ id: string }>(
      `SELECT DISTINCT id FROM coherex.audit_event WHERE action = 'old.test'`,
    )
    const { rows: sessions } = await superuser.query(`SELECT FROM coherex_auth.session WHERE expires_at < now()`)
    await superuser.end()
    expect(rows.map((row) => row.id)).toEqual(['aud_00000000000000000000000089'])
    expect(sessions).toEqual([])
  })
})
