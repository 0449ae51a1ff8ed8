import { request } from 'node:http'
import { routes } from '@coherex/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer, type TestServer } from '../harness/test-server.ts'

const publicUrl = 'https://code.example.com'
const servers: TestServer[] = []
let behindProxy: TestServer
let alone: TestServer

beforeAll(async () => {
  behindProxy = await startTestServer({ COHEREX_PUBLIC_URL: publicUrl, COHEREX_TRUST_PROXY: 'true' })
  alone = await startTestServer()
  servers.push(behindProxy, alone)
})
afterAll(() => Promise.all(servers.map((one) => one.stop())))

/** A request as a proxy passes it on: with the public host, and what it says of the client. */
async function pass(server: TestServer, headers: Record<string, string>, body?: object, path = '/api/v1/sign-in') {
  const { hostname, port } = new URL(server.url)
  return new Promise<{ status: number; cookies: string[]; strict: unknown }>((resolve, reject) => {
    const method = body ? 'POST' : 'GET'
    const sent = { 'content-type': 'application/json', ...headers }
    const outgoing = request({ hostname, port, path, method, headers: sent }, (response) => {
      response.resume()
      resolve({
        status: response.statusCode ?? 0,
        cookies: response.headers['set-cookie'] ?? [],
        strict: response.headers['strict-transport-security'],
      })
    })
    outgoing.on('error', reject)
    outgoing.end(body ? JSON.stringify(body) : undefined)
  })
}

describe('behind a proxy with TLS', () => {
  const host = 'code.example.com'
  const proxied = { host, origin: publicUrl, 'x-forwarded-for': '203.0.113.7', 'x-forwarded-proto': 'https' }

  test('links, cookies and headers are those of the public address', async () => {
    const owner = await behindProxy.owner()
    const { link } = await owner.call(routes.teams.invite, { body: { email: 'p@example.com', role: 'viewer' } })
    expect(link?.startsWith(`${publicUrl}/invite/`)).toBe(true)
    const signedIn = await pass(behindProxy, proxied, { email: owner.email, password: owner.password })
    expect(signedIn.status).toBe(200)
    expect(signedIn.cookies[0]).toMatch(/^__Secure-coherex\.session_token=.*; Secure/)
    expect(signedIn.strict).toBe('max-age=31536000')
    const { items } = await owner.call(routes.audit.list, { query: { action: 'sign-in' } })
    expect(items[0]?.ip).toBe('203.0.113.7')
  })

  test('pages of other sites are still refused', async () => {
    const body = { email: 'x@example.com', password: 'x' }
    for (const origin of ['http://code.example.com', 'https://evil.example', `${publicUrl}.evil.example`]) {
      const answer = await pass(behindProxy, { ...proxied, origin }, body)
      expect([origin, answer.status]).toEqual([origin, 403])
    }
    expect((await pass(behindProxy, { ...proxied, host: 'evil.example' })).status).toBe(403)
    const forwardedHost = { ...proxied, host: 'evil.example', 'x-forwarded-host': host }
    expect((await pass(behindProxy, forwardedHost)).status).toBe(403)
  })
})

describe('with no proxy', () => {
  test('what a client writes into forwarded headers is not believed', async () => {
    const owner = await alone.owner()
    const claims = {
      host: new URL(alone.url).host,
      'x-forwarded-for': '203.0.113.7',
      forwarded: 'for=203.0.113.7;proto=https;host=evil.example',
      'x-real-ip': '203.0.113.7',
      'cf-connecting-ip': '203.0.113.7',
      'x-coherex-client-address': '203.0.113.7',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'evil.example',
    }
    const signedIn = await pass(alone, claims, { email: owner.email, password: owner.password })
    expect(signedIn.status).toBe(200)
    expect(signedIn.cookies[0]).not.toContain('Secure')
    expect(signedIn.strict).toBeUndefined()
    const { items } = await owner.call(routes.audit.list, { query: { action: 'sign-in' } })
    expect(items[0]?.ip).toBe('127.0.0.1')
    const { items: sessions } = await owner.call(routes.signIn.listSessions, {})
    expect(sessions.map((one) => one.ip)).toEqual(['127.0.0.1', '127.0.0.1'])
    const { link } = await owner.call(routes.teams.invite, { body: { email: 'q@example.com', role: 'viewer' } })
    expect(link?.startsWith(`${alone.url}/invite/`)).toBe(true)
  })

  test('guesses from one address with many claimed ones are counted together', async () => {
    const guess = (claimed: string) =>
      pass(
        alone,
        { host: new URL(alone.url).host, 'x-forwarded-for': claimed },
        { email: 'target@example.com', password: 'wrong' },
      )
    const statuses = []
    for (let at = 1; at <= 11; at++) statuses.push((await guess(`203.0.113.${at}`)).status)
    expect(statuses).toEqual([...Array(10).fill(401), 429])
  })
})
