import { routes } from '@coherex/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startOidcProvider, type Behaviour, type OidcProvider } from '../harness/outside/oidc-provider.ts'
import { startTestServer, type Browser, type TestPerson, type TestServer } from '../harness/test-server.ts'

let provider: OidcProvider
let server: TestServer
let owner: TestPerson
let anna: TestPerson

beforeAll(async () => {
  provider = await startOidcProvider()
  server = await startTestServer({
    COHEREX_OIDC_ISSUER: provider.issuer,
    COHEREX_OIDC_CLIENT_ID: provider.clientId,
    COHEREX_OIDC_CLIENT_SECRET: provider.clientSecret,
    COHEREX_OIDC_NAME: 'Example Corp',
  })
  owner = await server.owner()
  anna = await server.invite(owner, 'editor')
})
afterAll(async () => {
  await server.stop()
  await provider.stop()
})
beforeEach(() => provider.behave({ claims: annas() }))

const annas = () => ({ sub: 'anna-at-corp', email: anna.email, email_verified: true, name: 'Anna' })

/** From the sign-in page to the provider: where the browser is sent back to. */
async function visitProvider(browser: Browser): Promise<string> {
  const start = await browser.fetch('/api/v1/sign-in/oidc')
  expect(start.status).toBe(302)
  return provider.agree(start.headers.get('location') ?? '')
}

async function whereTo(browser: Browser, back: string): Promise<string | null> {
  const response = await browser.fetch(back)
  expect(response.status).toBe(302)
  return response.headers.get('location')
}

async function signIn(behaviour: Behaviour): Promise<{ to: string | null; signedIn: boolean }> {
  provider.behave(behaviour)
  const browser = server.browser()
  const to = await whereTo(browser, await visitProvider(browser))
  return { to, signedIn: (await browser.fetch('/api/v1/me')).status === 200 }
}

test('the sign-in page offers it by its name', async () => {
  expect(await server.browser().call(routes.signIn.methods, {})).toMatchObject({ oidc: { name: 'Example Corp' } })
})

describe('someone who is known', () => {
  test('comes in as themselves, again and again, and the log says how', async () => {
    for (const time of ['first', 'second']) {
      const browser = server.browser()
      expect(await whereTo(browser, await visitProvider(browser)), time).toBe('/')
      const me = await browser.call(routes.signIn.me, {})
      expect(me).toMatchObject({ person: { id: anna.me.person.id, name: anna.me.person.name }, via: 'session' })
    }
    const { items } = await owner.call(routes.audit.list, { query: { actorId: anna.me.person.id, action: 'sign-in' } })
    expect(items.map((one) => one.details['how'])).toEqual(['oidc', 'oidc', 'invitation'])
  })

  test('leaves none of the provider’s tokens in the database', async () => {
    await signIn({ claims: annas() })
    const superuser = await server.database.superuser()
    const { rows } = await superuser.query(`SELECT * FROM coherex_auth.account WHERE provider_id = 'oidc'`)
    const { rows: verifications } = await superuser.query('SELECT * FROM coherex_auth.verification')
    await superuser.end()
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toMatch(/CANARY|eyJ/)
    expect(verifications).toEqual([])
  })

  test('cannot make the server believe another address of theirs', async () => {
    const browser = server.browser()
    const back = await visitProvider(browser)
    await browser.fetch(back, { headers: { 'x-coherex-client-address': '6.6.6.6', 'x-forwarded-for': '6.6.6.6' } })
    const { items } = await browser.call(routes.signIn.listSessions, {})
    expect(items.find((one) => one.current)?.ip).toBe('127.0.0.1')
  })
})

describe('someone else', () => {
  test('OIDC sign-in refuses an unknown person and adds no account', async () => {
    const claims = { sub: 'stranger', email: 'stranger@example.com', email_verified: true, name: 'S' }
    expect(await signIn({ claims })).toEqual({ to: '/sign-in?failed=unknown-person', signedIn: false })
    const superuser = await server.database.superuser()
    const { rows } = await superuser.query(`SELECT FROM coherex_auth.person WHERE email = 'stranger@example.com'`)
    await superuser.end()
    expect(rows).toEqual([])
  })

  test('OIDC sign-in does not trust an unverified email address', async () => {
    const claims = { sub: 'mallory', email: owner.email, email_verified: false, name: 'M' }
    expect(await signIn({ claims })).toEqual({ to: '/sign-in?failed=unverified-address', signedIn: false })
  })
})

describe('the state', () => {
  test('is asked for with PKCE by S256, a nonce and no secret in the address', async () => {
    const start = await server.browser().fetch('/api/v1/sign-in/oidc')
    const { searchParams } = new URL(start.headers.get('location') ?? '')
    expect(searchParams.get('code_challenge_method')).toBe('S256')
    expect(searchParams.get('code_challenge')).toMatch(/^[\w-]{43}$/)
    expect(searchParams.get('nonce')?.length).toBeGreaterThan(20)
    expect(searchParams.get('state')?.length).toBeGreaterThan(20)
    expect(searchParams.get('redirect_uri')).toBe(`${server.url}/api/auth/callback/oidc`)
    expect(start.headers.get('location')).not.toContain('CANARY')
  })

  test.each([
    ['left out', (back: URL) => back.searchParams.delete('state')],
    ['made up', (back: URL) => back.searchParams.set('state', 'x'.repeat(32))],
    ['empty', (back: URL) => back.searchParams.set('state', '')],
  ])('cannot be %s', async (_, change) => {
    const browser = server.browser()
    const back = new URL(await visitProvider(browser))
    change(back)
    expect(await whereTo(browser, back.href)).toBe('/sign-in?failed=expired')
    expect((await browser.fetch('/api/v1/me')).status).toBe(401)
  })

  test('belongs to the browser that began: neither another one’s nor with its own', async () => {
    const [victim, attacker] = [server.browser(), server.browser()]
    const back = await visitProvider(attacker)
    // a link that signs the victim in as the attacker
    expect(await whereTo(victim, back)).toBe('/sign-in?failed=expired')
    await visitProvider(victim)
    expect(await whereTo(victim, back)).toBe('/sign-in?failed=expired')
    expect((await victim.fetch('/api/v1/me')).status).toBe(401)
  })

  test('works once', async () => {
    const browser = server.browser()
    const back = await visitProvider(browser)
    const cookie = browser.cookie()
    expect(await whereTo(browser, back)).toBe('/')
    const again = await fetch(back, { redirect: 'manual', headers: { cookie } })
    expect(again.headers.get('location')).toBe('/sign-in?failed=expired')
  })

  test('is over after ten minutes', async () => {
    const browser = server.browser()
    const back = await visitProvider(browser)
    const superuser = await server.database.superuser()
    await superuser.query(
      `UPDATE coherex_auth.verification SET expires_at = now() - interval '1 second',
         value = jsonb_set(value::jsonb, '{expiresAt}', '1000')::text`,
    )
    await superuser.end()
    expect(await whereTo(browser, back)).toBe('/sign-in?failed=expired')
  })
})

describe('the id token', () => {
  test.each<[string, Omit<Behaviour, 'claims'>]>([
    ['for another client', { tamper: (claims) => ({ ...claims, aud: 'someone-else' }) }],
    ['of another issuer', { tamper: (claims) => ({ ...claims, iss: 'https://evil.example' }) }],
    ['with another nonce', { tamper: (claims) => ({ ...claims, nonce: 'replayed' }) }],
    ['without a nonce', { tamper: ({ nonce: _, ...claims }) => claims }],
    ['that has expired', { tamper: (claims) => ({ ...claims, exp: 1000 }) }],
    ['without a signature', { sign: 'none' }],
    ['signed with the public key as a secret', { sign: 'HS256' }],
    ['signed by someone else', { sign: 'other-key' }],
    ['left out', { withoutIdToken: true }],
  ])('%s is refused', async (_, behaviour) => {
    expect(await signIn({ claims: annas(), ...behaviour })).toEqual({
      to: '/sign-in?failed=provider',
      signedIn: false,
    })
  })
})

test('PKCE: the verifier is sent, and a provider that does not get the right one signs nobody in', async () => {
  expect(provider.exchanges.some((one) => one.accepted && (one.params['code_verifier']?.length ?? 0) >= 43)).toBe(true)
  const browser = server.browser()
  const first = new URL(await visitProvider(browser))
  const second = new URL(await visitProvider(browser))
  // the code of one sign-in with the state, and so the verifier, of another
  second.searchParams.set('code', first.searchParams.get('code') ?? '')
  expect(await whereTo(browser, second.href)).toBe('/sign-in?failed=provider')
  expect(provider.exchanges.at(-1)?.accepted).toBe(false)
})

test('the OIDC error page shows no text of the provider', async () => {
  const browser = server.browser()
  const back = new URL(await visitProvider(browser))
  back.searchParams.delete('code')
  back.searchParams.set('error', 'access_denied')
  back.searchParams.set('error_description', '<script>alert(1)</script>')
  expect(await whereTo(browser, back.href)).toBe('/sign-in?failed=provider')
})

test('no other route of the library behind it is reachable', async () => {
  for (const path of ['sign-up/email', 'sign-in/email', 'get-session', 'list-sessions', 'coherex/sign-in-as', 'ok']) {
    for (const method of ['GET', 'POST']) {
      const response = await owner.fetch(`/api/auth/${path}`, {
        method,
        headers: { 'content-type': 'application/json' },
        ...(method === 'POST' ? { body: JSON.stringify({ personId: owner.me.person.id }) } : {}),
      })
      expect([path, response.status]).toEqual([path, 404])
    }
  }
})

test('a provider that is away keeps nobody from their password, and works once it is back', async () => {
  const { issuer, clientId, clientSecret, leave, comeBack, stop } = await startOidcProvider()
  leave()
  const other = await startTestServer({
    COHEREX_OIDC_ISSUER: issuer,
    COHEREX_OIDC_CLIENT_ID: clientId,
    COHEREX_OIDC_CLIENT_SECRET: clientSecret,
    COHEREX_LOG_LEVEL: 'silent',
  })
  const start = async () => (await other.browser().fetch('/api/v1/sign-in/oidc')).headers.get('location')
  try {
    expect((await other.owner()).me.setupDone).toBe(true)
    expect(await start()).toBe('/sign-in?failed=provider')
    comeBack()
    expect(await start()).toMatch(`${issuer}/authorize?`)
  } finally {
    await other.stop()
    await stop()
  }
})
