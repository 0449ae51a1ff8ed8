import type { IncomingHttpHeaders } from 'node:http'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createEgress } from './create-egress.ts'
import { teamRules } from './rules.ts'
import { createCanary, createTestInternet, never, type TestInternet } from './test-internet.ts'

const good = '93.184.216.34'
const other = '151.101.1.6'
let internet: TestInternet
let canary: Awaited<ReturnType<typeof createCanary>>
let seen: { host: string; method: string; path: string; headers: IncomingHttpHeaders; body: string }[]

beforeEach(async () => {
  internet = createTestInternet({ 'good.test': [good], 'other.test': [other], 'sneaky.test': ['127.0.0.1'] })
  canary = await createCanary()
  seen = []
  for (const [address, host] of [
    [good, 'good'],
    [other, 'other'],
  ] as const) {
    await internet.serve(address, async (request, response) => {
      const body = (await request.toArray()).join('')
      const url = new URL(request.url ?? '', 'http://x')
      seen.push({ host, method: request.method ?? '', path: url.pathname, headers: request.headers, body })
      const to = url.searchParams.get('to')
      const hops = Number(url.searchParams.get('hops') ?? 0)
      const status = Number(url.searchParams.get('status') ?? 302)
      if (hops > 0) return void response.writeHead(status, { location: `/hop?hops=${hops - 1}` }).end()
      if (to !== null) return void response.writeHead(status, { location: to }).end('moved')
      response.setHeader('content-type', 'text/html')
      response.end(`<meta http-equiv="refresh" content="0; url=http://127.0.0.1:${canary.port}/">done`)
    })
  }
})
afterEach(async () => {
  await internet.close()
  await canary.close()
})

const start = (to: string, status = 302) => `http://good.test/start?status=${status}&to=${encodeURIComponent(to)}`
const anyCaller = (methods = ['GET', 'HEAD', 'POST', 'PUT']) =>
  createEgress(internet).outbound({ rules: teamRules({ allow: 'any', methods }) })

describe('N04: redirects', () => {
  it.each([301, 302, 303, 307, 308])('a %i to a private address is refused, in any spelling', async (status) => {
    const targets = [
      `http://127.0.0.1:${canary.port}/secret`,
      `http://2130706433:${canary.port}/`,
      `http://[::ffff:127.0.0.1]:${canary.port}/`,
      `//127.1:${canary.port}/`,
      `http://localhost:${canary.port}/`,
    ]
    for (const to of targets) {
      await expect(anyCaller().fetch({ url: start(to, status) }, never)).rejects.toMatchObject({
        code: 'URL_NOT_ALLOWED',
        reason: 'private-address',
      })
    }
    await expect(anyCaller().fetch({ url: start('http://sneaky.test/', status) }, never)).rejects.toMatchObject({
      code: 'FETCH_FAILED',
      reason: 'private-address',
    })
    expect(canary.hits).toBe(0)
    expect(internet.dialled.every((door) => door === `${good}:80`)).toBe(true)
  })

  it.each([
    'file:///etc/passwd',
    'gopher://good.test/',
    'http://user:pw@other.test/',
    '//@other.test/',
    '\\\\other.test/',
    'http://other.test\\@good.test/',
    'javascript:alert(1)',
    'http:///other.test',
    'http://good.test:22/',
  ])('a redirect to %s is refused', async (to) => {
    await expect(anyCaller().fetch({ url: start(to) }, never)).rejects.toMatchObject({ code: 'URL_NOT_ALLOWED' })
  })

  it('a redirect out of the allow-list is refused, one within it is followed', async () => {
    const rules = teamRules({ allow: ['http://good.test/start', 'http://other.test/ok'] })
    const outbound = createEgress(internet).outbound({ rules })
    await expect(outbound.fetch({ url: start('http://other.test/no') }, never)).rejects.toMatchObject({
      reason: 'not-listed',
    })
    await expect(outbound.fetch({ url: start('/elsewhere') }, never)).rejects.toMatchObject({ reason: 'not-listed' })
    const response = await outbound.fetch({ url: start('http://other.test/ok/x') }, never)
    expect(response).toMatchObject({ status: 200, redirected: true, url: 'http://other.test/ok/x' })
  })

  it('leads to names in other scripts, whether the server encoded them or not', async () => {
    const raw = (text: string) => Buffer.from(text).toString('latin1')
    const response = await anyCaller().fetch({ url: start(raw('/ä/日本?q=ö')) }, never)
    expect(response.url).toBe('http://good.test/%C3%A4/%E6%97%A5%E6%9C%AC?q=%C3%B6')
    const latin = await anyCaller().fetch({ url: start('/é') }, never)
    expect(latin.url).toBe('http://good.test/%C3%A9')
  })

  it('each hop is in the log: what was sent where, and where it ended', async () => {
    const rules = teamRules({ allow: ['http://good.test/'], methods: ['GET', 'POST'] })
    const outbound = createEgress(internet).outbound({ rules })
    const log = () => outbound.log().map(({ method, url, status, error }) => [method, url, status, error])
    await outbound.fetch({ url: start('/page'), method: 'POST', body: Buffer.from('a') }, never)
    expect(log()).toEqual([
      ['POST', start('/page'), 302, null],
      ['GET', 'http://good.test/page', 200, null],
    ])
    outbound.clearLog()
    await outbound.fetch({ url: start('http://127.0.0.1/') }, never).catch(() => {})
    await outbound.fetch({ url: start('http://other.test:x/') }, never).catch(() => {})
    expect(log()).toEqual([
      ['GET', start('http://127.0.0.1/'), 302, null],
      ['GET', 'http://127.0.0.1/', null, 'URL_NOT_ALLOWED'],
      ['GET', start('http://other.test:x/'), 302, null],
      ['GET', 'http://other.test:x/', null, 'URL_NOT_ALLOWED'],
    ])
  })

  it('five hops are followed, the sixth is not', async () => {
    await expect(anyCaller().fetch({ url: 'http://good.test/?hops=5' }, never)).resolves.toMatchObject({ status: 200 })
    await expect(anyCaller().fetch({ url: 'http://good.test/?hops=6' }, never)).rejects.toMatchObject({
      code: 'FETCH_FAILED',
      reason: 'redirects',
    })
    seen.length = 0
    await expect(anyCaller().fetch({ url: 'http://good.test/?hops=20' }, never)).rejects.toThrow('more than 5 times')
    expect(seen).toHaveLength(6)
  })

  it('a page that refreshes itself elsewhere is content, not a redirect', async () => {
    await expect(anyCaller().fetch({ url: 'http://good.test/' }, never)).resolves.toMatchObject({ status: 200 })
    expect(canary.hits).toBe(0)
  })

  it('manual hands the redirect over, error refuses it', async () => {
    const url = start('http://127.0.0.1/')
    await expect(anyCaller().fetch({ url, redirect: 'manual' }, never)).resolves.toMatchObject({ status: 302 })
    await expect(anyCaller().fetch({ url, redirect: 'error' }, never)).rejects.toMatchObject({ reason: 'redirects' })
  })
})

describe('what a redirect carries along', () => {
  const headers: [string, string][] = [
    ['Authorization', 'Bearer key'],
    ['Cookie', 'a=b'],
    ['X-Api-Key', 'key'],
    ['Accept', 'text/plain'],
    ['Content-Type', 'application/json'],
  ]
  const body = Buffer.from('{"a":1}')
  const last = () => seen.at(-1)

  it('keys stay with the origin they were for', async () => {
    await anyCaller().fetch({ url: start('/next'), headers }, never)
    expect(last()?.headers).toMatchObject({ authorization: 'Bearer key', cookie: 'a=b', 'x-api-key': 'key' })
    for (const to of ['http://other.test/next', 'http://good.test:8080/next']) {
      await anyCaller().fetch({ url: start(to), headers }, never)
      expect(last()?.path).toBe('/next')
      expect(last()?.headers.accept).toBe('text/plain')
      for (const name of ['authorization', 'cookie', 'x-api-key']) expect(last()?.headers).not.toHaveProperty(name)
    }
  })

  it.each([
    [301, 'POST', 'GET'],
    [302, 'POST', 'GET'],
    [303, 'POST', 'GET'],
    [303, 'PUT', 'GET'],
    [302, 'PUT', 'PUT'],
    [307, 'POST', 'POST'],
    [308, 'POST', 'POST'],
    [303, 'HEAD', 'HEAD'],
  ])('a %i turns %s into %s', async (status, method, next) => {
    const sendsBody = method !== 'HEAD'
    await anyCaller().fetch({ url: start('/next', status), method, headers, ...(sendsBody && { body }) }, never)
    expect(last()).toMatchObject({ path: '/next', method: next, body: next === method && sendsBody ? '{"a":1}' : '' })
    if (next !== method) expect(last()?.headers).not.toHaveProperty('content-type')
  })

  it('the method it turns into must be allowed too', async () => {
    await expect(anyCaller(['POST']).fetch({ url: start('/next', 303), method: 'POST' }, never)).rejects.toMatchObject({
      code: 'METHOD_NOT_ALLOWED',
    })
    expect(seen).toHaveLength(1)
  })
})
