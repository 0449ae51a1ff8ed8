import { routes } from '@coherex/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type Browser, type TestPerson, type TestServer } from '../harness/test-server.ts'

let server: TestServer
let owner: TestPerson

beforeAll(async () => {
  server = await startTestServer({ COHEREX_TRUST_PROXY: '1' })
  owner = await server.owner()
})
afterAll(() => server.stop())

const withCookie = (cookie: string) => fetch(`${server.url}/api/v1/me`, { headers: { cookie } })

async function signIn(person: TestPerson, browser: Browser = server.browser()): Promise<Browser> {
  await browser.call(routes.signIn.withPassword, { body: { email: person.email, password: person.password } })
  return browser
}

function attempt(email: string, password: string, ip: string): Promise<Response> {
  return fetch(`${server.url}/api/v1/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': ip },
    body: JSON.stringify({ email, password }),
  })
}

describe('the session cookie', () => {
  test('is for this site only, and no script can read it', async () => {
    const response = await attempt(owner.email, owner.password, '10.9.9.9')
    const [cookie] = response.headers.getSetCookie()
    expect(cookie).toMatch(/^coherex\.session_token=[^;]{40,};/)
    expect(cookie?.toLowerCase()).toContain('; httponly')
    expect(cookie?.toLowerCase()).toContain('; samesite=lax')
    expect(cookie?.toLowerCase()).toContain('; path=/')
  })

  test('does not count once changed, cut, unsigned or made up', async () => {
    const good = owner.cookie()
    expect((await withCookie(good)).status).toBe(200)
    const [name = '', value = ''] = good.split('=')
    const [token = ''] = decodeURIComponent(value).split('.')
    const flipped = `${value.slice(0, 5)}${value[5] === 'a' ? 'b' : 'a'}${value.slice(6)}`
    for (const bad of [`${name}=${flipped}`, `${name}=${token}`, `${name}=${token}.`, `${name}=x.y`, `${name}=`]) {
      expect((await withCookie(bad)).status, bad).toBe(401)
    }
  })

  test('that a stranger planted before signing in is not the one signed in with', async () => {
    const planted = (await signIn(await server.invite(owner, 'viewer'))).cookie()
    const response = await fetch(`${server.url}/api/v1/sign-in`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie: planted, origin: server.url },
      body: JSON.stringify({ email: owner.email, password: owner.password }),
    })
    const given = response.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    expect(given).not.toBe(planted)
    expect((await (await withCookie(given)).json()) as object).toMatchObject({ person: { email: owner.email } })
    expect((await withCookie(planted)).status).toBe(401)
  })

  test('of before a new sign-in in the same browser is dead', async () => {
    const viewer = await server.invite(owner, 'viewer')
    const before = viewer.cookie()
    await signIn(viewer, viewer)
    expect(viewer.cookie()).not.toBe(before)
    expect((await withCookie(before)).status).toBe(401)
    expect((await withCookie(viewer.cookie())).status).toBe(200)
  })

  test('is dead after signing out, a password change elsewhere, a reset, and being ended from another browser', async () => {
    const viewer = await server.invite(owner, 'viewer')
    const [out, changed, ended] = [await signIn(viewer), await signIn(viewer), await signIn(viewer)]
    const copies = { out: out.cookie(), ended: ended.cookie(), changed: changed.cookie(), own: viewer.cookie() }
    await out.call(routes.signIn.out, {})
    expect((await withCookie(copies.out)).status).toBe(401)

    const { items } = await ended.call(routes.signIn.listSessions, {})
    const id = items.find((one) => one.current)?.id ?? ''
    await viewer.call(routes.signIn.endSession, { params: { id } })
    expect((await withCookie(copies.ended)).status).toBe(401)

    const newPassword = 'something else entirely'
    await viewer.call(routes.signIn.changePassword, { body: { currentPassword: viewer.password, newPassword } })
    expect((await withCookie(copies.changed)).status).toBe(401)
    expect((await withCookie(copies.own)).status).toBe(200)

    const { link } = await owner.call(routes.signIn.resetMember, { params: { personId: viewer.me.person.id } })
    const body = { token: link?.split('/').at(-1) ?? '', password: 'set by the reset link' }
    await server.browser().call(routes.signIn.resetPassword, { body })
    expect((await withCookie(copies.own)).status).toBe(401)
  })

  test('stops counting when its time is over, and its row is pruned', async () => {
    const viewer = await server.invite(owner, 'viewer')
    const superuser = await server.database.superuser()
    await superuser.query(
      `UPDATE coherex_auth.session SET expires_at = now() - interval '1 second' WHERE person_id = $1`,
      [viewer.me.person.id],
    )
    await superuser.end()
    expect((await withCookie(viewer.cookie())).status).toBe(401)
  })
})

test('people see where they are signed in and when each browser was last used', async () => {
  const viewer = await server.invite(owner, 'viewer')
  await signIn(viewer)
  const superuser = await server.database.superuser()
  const long = new Date(Date.now() - 86_400_000).toISOString()
  await superuser.query('UPDATE coherex_auth.session SET updated_at = $2 WHERE person_id = $1', [
    viewer.me.person.id,
    long,
  ])
  await superuser.end()
  await viewer.call(routes.signIn.me, {})
  const { items } = await viewer.call(routes.signIn.listSessions, {})
  expect(items.map((one) => [one.current, one.lastSeenAt === long])).toEqual([
    [true, false],
    [false, true],
  ])
  expect(JSON.stringify(items)).not.toContain(decodeURIComponent(viewer.cookie().split('=')[1] ?? '').split('.')[0])
})

describe('guessing', () => {
  test('is over after ten tries for one account from one address, for the right password too', async () => {
    const victim = await server.invite(owner, 'viewer')
    const statuses = []
    for (let tries = 0; tries < 10; tries++) statuses.push((await attempt(victim.email, 'wrong', '10.0.0.1')).status)
    expect(statuses).toEqual(Array(10).fill(401))
    const refused = await attempt(victim.email, victim.password, '10.0.0.1')
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(60)
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(900)
    // its owner, at home, still gets in, and so do others from the same office
    expect((await attempt(victim.email, victim.password, '10.0.0.2')).status).toBe(200)
    expect((await attempt(owner.email, owner.password, '10.0.0.1')).status).toBe(200)
  })

  test('a new window opens after a quarter of an hour', async () => {
    const victim = await server.invite(owner, 'viewer')
    for (let tries = 0; tries < 11; tries++) await attempt(victim.email, 'wrong', '10.0.1.1')
    expect((await attempt(victim.email, victim.password, '10.0.1.1')).status).toBe(429)
    const superuser = await server.database.superuser()
    await superuser.query(`UPDATE coherex_auth.attempt SET resets_at = resets_at - interval '15 minutes'`)
    await superuser.end()
    expect((await attempt(victim.email, victim.password, '10.0.1.1')).status).toBe(200)
  })

  test('spread over addresses is stopped by the account’s own count', async () => {
    const victim = await server.invite(owner, 'viewer')
    const superuser = await server.database.superuser()
    const before = (await superuser.query<{ key: string }>('SELECT key FROM coherex_auth.attempt')).rows.map(
      (row) => row.key,
    )
    await attempt(victim.email, 'wrong', '10.1.0.0')
    // the count of an account, as if 99 more addresses had tried: scrypt would take a minute here
    const { rowCount } = await superuser.query(
      'UPDATE coherex_auth.attempt SET count = count + 99 WHERE NOT (key = ANY($1)) AND count < 90',
      [before],
    )
    await superuser.query(
      `DELETE FROM coherex_auth.attempt WHERE key = encode(sha256(convert_to($1, 'UTF8')), 'hex')`,
      [`address 10.1.0.0`],
    )
    await superuser.end()
    expect(rowCount).toBeGreaterThanOrEqual(2)
    expect((await attempt(victim.email, victim.password, '10.1.0.200')).status).toBe(429)
  })

  test('an unknown person and a wrong password cannot be told apart, by words or by time', async () => {
    const known = await server.invite(owner, 'viewer')
    const shape = async (email: string, ip: string) => {
      // the time it takes to compute, of all threads of this process: other programs have no part in it
      const before = process.cpuUsage()
      const response = await attempt(email, 'a wrong password', ip)
      const { user, system } = process.cpuUsage(before)
      const ms = (user + system) / 1000
      const headers = [...response.headers.keys()].toSorted()
      return { ms, told: { status: response.status, body: await response.text(), headers } }
    }
    const times = { known: [] as number[], unknown: [] as number[] }
    for (let round = 0; round < 9; round++) {
      const one = await shape(known.email, '10.2.0.1')
      const other = await shape(`nobody-${round}@example.com`, '10.2.0.1')
      expect(other.told).toEqual(one.told)
      times.known.push(one.ms)
      times.unknown.push(other.ms)
    }
    const median = (all: number[]) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0
    const [fast, slow] = [median(times.known), median(times.unknown)].toSorted((a, b) => a - b) as [number, number]
    // a hash takes tens of milliseconds: leaving it out for one of them would show as a multiple
    expect(slow).toBeLessThan(fast * 2 + 20)
  })

  test('a reset for an unknown person is answered as for a known one', async () => {
    const ask = async (email: string) => {
      const response = await server.browser().fetch('/api/v1/password/forgot', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email }),
      })
      return [response.status, await response.text(), response.headers.get('content-type')]
    }
    expect(await ask('nobody-at-all@example.com')).toEqual(await ask(owner.email))
  })

  test('the current password of an open browser is stopped after ten tries too', async () => {
    const viewer = await server.invite(owner, 'viewer')
    const change = (currentPassword: string) =>
      viewer.call(routes.signIn.changePassword, { body: { currentPassword, newPassword: 'a new password' } }).then(
        () => 'changed',
        (error: { code: string }) => error.code,
      )
    const answers = []
    for (let tries = 0; tries < 10; tries++) answers.push(await change('wrong'))
    expect(answers).toEqual(Array(10).fill('invalid_input'))
    expect(await change(viewer.password)).toBe('quota_exceeded')
  })
})

test('the address that is believed is the one our proxy saw, not what the client wrote before it', async () => {
  const viewer = await server.invite(owner, 'viewer')
  await attempt(viewer.email, viewer.password, '6.6.6.6, 10.7.7.7')
  const { items } = await owner.call(routes.audit.list, { query: { action: 'sign-in', actorId: viewer.me.person.id } })
  expect(items[0]?.ip).toBe('10.7.7.7')
})

test('something that is no address is not believed at all', async () => {
  const viewer = await server.invite(owner, 'viewer')
  await attempt(viewer.email, viewer.password, '<script>')
  const { items } = await owner.call(routes.audit.list, { query: { action: 'sign-in', actorId: viewer.me.person.id } })
  expect(items[0]?.ip).toBe('127.0.0.1')
})

test('links work once, of two browsers at once too', async () => {
  const viewer = await server.invite(owner, 'viewer')
  const { link } = await owner.call(routes.signIn.resetMember, { params: { personId: viewer.me.person.id } })
  const body = { token: link?.split('/').at(-1) ?? '', password: 'raced for by many' }
  const races = await Promise.allSettled(
    Array.from({ length: 5 }, () => server.browser().call(routes.signIn.resetPassword, { body })),
  )
  expect(races.filter((one) => one.status === 'fulfilled')).toHaveLength(1)
})
