import { routes } from '@coherex/contract'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { startTestServer, type Browser, type TestPerson, type TestServer } from '../harness/test-server.ts'

let server: TestServer
let owner: TestPerson

beforeAll(async () => {
  server = await startTestServer()
  owner = await server.owner()
})
afterAll(() => server.stop())

const post = (who: Browser, path: string, key: string, body: object) =>
  who.fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify(body),
  })
const invite = (key: string, email: string, who: Browser = owner) =>
  post(who, '/api/v1/invitations', key, { email, role: 'viewer' })
const invited = async (email: string) => {
  const { items } = await owner.call(routes.teams.listInvitations, { query: { limit: 200 } })
  return items.filter((one) => one.email === email).length
}

test('the same key answers what the first request answered, and does nothing again', async () => {
  const first = await invite('one', 'one@example.com')
  const again = await invite('one', 'one@example.com')
  expect([first.status, again.status]).toEqual([201, 201])
  expect([first.headers.get('idempotency-replayed'), again.headers.get('idempotency-replayed')]).toEqual([null, 'true'])
  expect(again.headers.get('content-type')).toBe('application/json')
  expect(await again.text()).toBe(await first.text())
  const { items } = await owner.call(routes.audit.list, { query: { search: 'one@example.com' } })
  expect(items).toHaveLength(1)
})

test('the same key with another body, or on another route, is a mistake', async () => {
  await invite('two', 'two@example.com')
  expect((await invite('two', 'other@example.com')).status).toBe(409)
  expect((await post(owner, '/api/v1/teams', 'two', { name: 'Two' })).status).toBe(409)
  expect(await invited('other@example.com')).toBe(0)
})

test('of many at once one does the work; the others hear the same or that it is under way', async () => {
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => post(owner, '/api/v1/teams', 'many', { name: 'Made once' })),
  )
  const made = answers.filter((one) => one.status === 201)
  expect(made.length).toBeGreaterThan(0)
  expect(answers.every((one) => one.status === 201 || one.status === 409)).toBe(true)
  const ids = new Set(await Promise.all(made.map(async (one) => ((await one.json()) as { id: string }).id)))
  expect(ids.size).toBe(1)
  const { teams } = await owner.call(routes.signIn.me, {})
  expect(teams.filter((one) => one.name === 'Made once')).toHaveLength(1)
})

test('a key belongs to its sender', async () => {
  const admin = await server.invite(owner, 'admin')
  const { key } = await owner.call(routes.keys.create, { body: { name: 'sender', scopes: ['admin'] } })
  await invite('shared', 'by-owner@example.com')
  expect((await invite('shared', 'by-admin@example.com', admin)).status).toBe(201)
  const byKey = await fetch(`${server.url}/api/v1/invitations`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': 'shared', authorization: `Bearer ${key}` },
    body: JSON.stringify({ email: 'by-key@example.com', role: 'viewer' }),
  })
  expect([byKey.status, byKey.headers.get('idempotency-replayed')]).toEqual([201, null])
})

test('a request that failed leaves its key free', async () => {
  expect((await invite('again', owner.email)).status).toBe(409)
  expect((await invite('again', 'again@example.com')).status).toBe(201)
})

test('a key is one line of visible characters', async () => {
  for (const key of ['x'.repeat(201), 'with space', 'ü']) {
    expect([key, (await invite(key, 'bad@example.com')).status]).toEqual([key, 400])
  }
  expect(await invited('bad@example.com')).toBe(0)
})

test('after a day the key is new, and one whose request never ended is free after some minutes', async () => {
  await invite('old', 'old@example.com')
  const superuser = await server.database.superuser()
  await superuser.query(`UPDATE coherex.idempotency_key SET created_at = now() - interval '25 hours' WHERE key = 'old'`)
  expect((await invite('old', 'newer@example.com')).status).toBe(201)
  await superuser.query(
    `UPDATE coherex.idempotency_key SET status = NULL, body = NULL, created_at = now() WHERE key = 'old'`,
  )
  const meanwhile = await invite('old', 'newer@example.com')
  expect([meanwhile.status, meanwhile.headers.get('retry-after')]).toEqual([409, '1'])
  await superuser.query(
    `UPDATE coherex.idempotency_key SET created_at = now() - interval '6 minutes' WHERE key = 'old'`,
  )
  expect((await invite('old', 'newest@example.com')).status).toBe(201)
  await superuser.end()
})

test('a request that goes on for longer than that keeps its key: nothing is run twice', async () => {
  // the minutes in which it says so are let pass; everything else keeps its own time
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const superuser = await server.database.superuser()
  const age = async () => {
    const { rows } = await superuser.query<{ minutes: number }>(
      `SELECT extract(epoch FROM now() - created_at)::float / 60 AS minutes FROM coherex.idempotency_key WHERE key = 'long'`,
    )
    return rows[0]?.minutes ?? Infinity
  }
  const body = { language: 'bash', code: 'sleep 4' }
  const first = post(owner, '/api/v1/runs', 'long', body)
  await expect.poll(age).toBeLessThan(1)
  await superuser.query(
    `UPDATE coherex.idempotency_key SET created_at = now() - interval '6 minutes' WHERE key = 'long'`,
  )
  vi.advanceTimersByTime(60_000)
  vi.useRealTimers()
  await expect.poll(age).toBeLessThan(1)
  expect((await post(owner, '/api/v1/runs', 'long', body)).status).toBe(409)
  expect((await first).status).toBe(200)
  const { items } = await owner.call(routes.runs.list, { query: { language: 'bash' } })
  expect(items).toHaveLength(1)
  await superuser.end()
})

test('what is kept does not tell the link, to whoever reads the database', async () => {
  const answer = (await (await invite('sealed', 'sealed@example.com')).json()) as { link: string }
  const superuser = await server.database.superuser()
  const { rows } = await superuser.query<{ body: string }>(`SELECT body FROM coherex.idempotency_key`)
  await superuser.end()
  const kept = rows.map(({ body }) => `${body} ${Buffer.from(body ?? '', 'base64').toString('latin1')}`).join()
  expect(kept.length).toBeGreaterThan(500)
  expect(kept).not.toContain(answer.link.split('/').at(-1))
  expect(kept).not.toContain('example.com')
})
