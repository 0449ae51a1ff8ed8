import type { IncomingHttpHeaders } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:tls'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createEgress } from './create-egress.ts'
import type { EgressSign } from './egress-sign.ts'
import { operatorRules, teamRules } from './rules.ts'
import { testCertificate, testKey } from './test-certificate.ts'
import { createTestInternet, never, type TestInternet } from './test-internet.ts'

const address = '93.184.216.34'
let internet: TestInternet
let seen: IncomingHttpHeaders[]

beforeEach(async () => {
  internet = createTestInternet({ 'api.test': [address], 'two.test': ['151.101.1.6', address] })
  seen = []
  await internet.serve(address, (request, response) => {
    seen.push(request.headers)
    response.writeHead(request.url === '/missing' ? 404 : 200, { 'set-cookie': ['a=1', 'b=2'], 'x-test': 'yes' })
    response.end('hello')
  })
})
afterEach(() => internet.close())

const rules = teamRules({ allow: ['http://api.test/'] })

describe('a outbound', () => {
  it('gets the response as data', async () => {
    const response = await createEgress(internet).outbound({ rules }).fetch({ url: 'http://api.test/a?b#c' }, never)
    expect(response).toMatchObject({
      url: 'http://api.test/a?b',
      status: 200,
      statusText: 'OK',
      redirected: false,
      truncated: false,
    })
    expect(Buffer.from(response.body).toString()).toBe('hello')
    expect(response.headers.filter(([name]) => name === 'set-cookie' || name === 'x-test')).toEqual([
      ['set-cookie', 'a=1'],
      ['set-cookie', 'b=2'],
      ['x-test', 'yes'],
    ])
  })

  it('reads and clears its log: what was asked, how it ended, how long it took', async () => {
    const outbound = createEgress(internet).outbound({ rules })
    await outbound.fetch({ url: 'http://api.test/' }, never)
    await outbound.fetch({ url: 'http://api.test/missing' }, never)
    await outbound.fetch({ url: 'http://other.test/' }, never).catch(() => {})
    await outbound.fetch({ url: 'http://api.test/', method: 'post' }, never).catch(() => {})
    const log = outbound.log()
    expect(log.map(({ method, url, status, bytes, error }) => ({ method, url, status, bytes, error }))).toEqual([
      { method: 'GET', url: 'http://api.test/', status: 200, bytes: 5, error: null },
      { method: 'GET', url: 'http://api.test/missing', status: 404, bytes: 5, error: null },
      { method: 'GET', url: 'http://other.test/', status: null, bytes: 0, error: 'URL_NOT_ALLOWED' },
      { method: 'POST', url: 'http://api.test/', status: null, bytes: 0, error: 'METHOD_NOT_ALLOWED' },
    ])
    for (const { at, durationMs } of log) {
      expect(new Date(at).toISOString()).toBe(at)
      expect(durationMs).toBeGreaterThanOrEqual(0)
    }
    outbound.clearLog()
    expect(outbound.log()).toEqual([])
  })

  it('keeps the newest 1,000 entries', async () => {
    const outbound = createEgress(internet).outbound({ rules })
    for (let i = 0; i < 2_105; i++) await outbound.fetch({ url: `ftp://${i}` }, never).catch(() => {})
    expect(outbound.log()).toHaveLength(1_000)
    expect(outbound.log().at(-1)?.url).toBe('ftp://2104')
    await outbound.fetch({ url: `ftp://${'x'.repeat(9_000)}` }, never).catch(() => {})
    expect(outbound.log().at(-1)?.url).toHaveLength(2_048)
  })

  it('cannot clear what others keep of it, however much was asked before', async () => {
    const outbound = createEgress(internet).outbound({ rules })
    const whole = outbound.follow()
    for (let i = 0; i < 2_105; i++) await outbound.fetch({ url: `ftp://${i}` }, never).catch(() => {})
    const later = outbound.follow()
    expect(later()).toEqual([])
    await outbound.fetch({ url: 'http://api.test/' }, never)
    outbound.clearLog()
    expect(outbound.log()).toEqual([])
    await outbound.fetch({ url: 'http://api.test/missing' }, never)
    expect(outbound.log().map(({ url }) => url)).toEqual(['http://api.test/missing'])
    expect(later().map(({ url }) => url)).toEqual(['http://api.test/', 'http://api.test/missing'])
    expect(whole()).toHaveLength(1_000)
    expect(whole().slice(-2)).toEqual(later())
  })

  it('closed, ends what is under way, which is in the log at once and once', async () => {
    const silent = createTestInternet({ 'api.test': [address] })
    const arrived = Promise.withResolvers<void>()
    await silent.serve(address, () => arrived.resolve())
    const outbound = createEgress(silent).outbound({ rules })
    const answer = outbound.fetch({ url: 'http://api.test/sent' }, never).catch((error: unknown) => error)
    await arrived.promise
    expect(outbound.log()).toEqual([])
    outbound.close()
    const entry = { method: 'GET', url: 'http://api.test/sent', status: null, error: 'FETCH_FAILED' }
    expect(outbound.log()).toMatchObject([entry])
    expect(await answer).toMatchObject({ reason: 'aborted' })
    expect(outbound.log()).toMatchObject([entry])
    await expect(outbound.fetch({ url: 'http://api.test/' }, never)).rejects.toMatchObject({ reason: 'aborted' })
    await silent.close()
  })

  it('keeps credentials of a URL out of the log and the message', async () => {
    const outbound = createEgress(internet).outbound({ rules })
    for (const [url, shown] of [
      ['https://me:key@api.test/a@b', 'https://…@api.test/a@b'],
      ['http:me:key@api.test/', 'http:…@api.test/'],
      ['http:\\\\me:k@ey@api.test/', 'http:\\\\…@api.test/'],
    ] as const) {
      await expect(outbound.fetch({ url }, never)).rejects.toThrow(`Cannot fetch ${JSON.stringify(shown)}: `)
      expect(outbound.log().at(-1)).toMatchObject({ url: shown, error: 'URL_NOT_ALLOWED' })
    }
  })

  it('uses GET, HEAD and OPTIONS unless more was allowed, and never CONNECT or TRACE', async () => {
    const outbound = createEgress(internet).outbound({ rules })
    for (const method of ['GET', 'head', 'OPTIONS']) await outbound.fetch({ url: 'http://api.test/', method }, never)
    for (const method of ['POST', 'DELETE', 'TRACE', 'CONNECT', 'GET\r\nX: y', 'G ET', '']) {
      await expect(outbound.fetch({ url: 'http://api.test/', method }, never)).rejects.toMatchObject({
        code: 'METHOD_NOT_ALLOWED',
      })
    }
    expect(() => teamRules({ allow: 'any', methods: ['CONNECT'] })).toThrow('CONNECT')
    const writer = createEgress(internet).outbound({
      rules: teamRules({ allow: ['http://api.test/'], methods: ['POST'] }),
    })
    expect((await writer.fetch({ url: 'http://api.test/', method: 'POST' }, never)).status).toBe(200)
  })

  it('does not name the host, frame the message or speak to proxies by itself', async () => {
    const headers: [string, string][] = [
      ['Host', 'internal.test'],
      ['Content-Length', '999'],
      ['Transfer-Encoding', 'chunked'],
      ['Connection', 'upgrade'],
      ['Upgrade', 'websocket'],
      ['Proxy-Authorization', 'x'],
      ['Expect', '100-continue'],
      ['X-Mine', 'kept'],
    ]
    await createEgress(internet).outbound({ rules }).fetch({ url: 'http://api.test/', headers }, never)
    expect(seen[0]).toMatchObject({ host: 'api.test', 'x-mine': 'kept' })
    for (const name of ['upgrade', 'proxy-authorization', 'expect', 'transfer-encoding'])
      expect(seen[0]).not.toHaveProperty(name)
  })

  it.each([
    [['X: y', 'z']],
    [['x', 'a\r\nInjected: yes']],
    [['x', 'a\u0000']],
    [['x', 'snow ☃']],
    [['', 'x']],
    [['x', 'a'.repeat(40_000)]],
  ] as [[string, string]][])('refuses the header %j', async (header) => {
    const outbound = createEgress(internet).outbound({ rules })
    await expect(outbound.fetch({ url: 'http://api.test/', headers: [header] }, never)).rejects.toMatchObject({
      code: 'FETCH_FAILED',
    })
    expect(internet.dialled).toEqual([])
  })

  it('has room again when an exchange is finished, once', async () => {
    const outbound = createEgress(internet).outbound({ rules, concurrency: 1 })
    for (let i = 0; i < 3; i++) {
      const exchange = await outbound.exchange({ url: 'http://api.test/' }, never)
      await expect(outbound.exchange({ url: 'http://api.test/' }, never)).rejects.toMatchObject({ reason: 'busy' })
      exchange.finish(0)
      exchange.finish(0)
    }
    const open = await outbound.exchange({ url: 'http://api.test/' }, never)
    await expect(outbound.fetch({ url: 'http://api.test/' }, never)).rejects.toMatchObject({ reason: 'busy' })
    open.finish(0)
  })

  it('R10: has at most 50 requests at once', async () => {
    const { promise: opened, resolve: open } = Promise.withResolvers<void>()
    await internet.serve('151.101.1.6', (_, response) => void opened.then(() => response.end()))
    const outbound = createEgress(internet).outbound({ rules: teamRules({ allow: 'any' }) })
    const fifty = Array.from({ length: 50 }, () => outbound.fetch({ url: 'http://two.test/' }, never))
    await expect(outbound.fetch({ url: 'http://two.test/' }, never)).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' })
    open()
    expect((await Promise.all(fifty)).every(({ status }) => status === 200)).toBe(true)
    expect((await outbound.fetch({ url: 'http://two.test/' }, never)).status).toBe(200)
  })

  it('cannot hold more than 64 MB of bodies at once', async () => {
    const outbound = createEgress(internet).outbound({ rules })
    const asks = Array.from({ length: 7 }, () =>
      outbound.fetch({ url: 'http://api.test/', maxBytes: 10_000_000 }, never),
    )
    const ends = await Promise.allSettled(asks)
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(6)
  })

  it('tries the next checked address when one does not answer', async () => {
    const outbound = createEgress(internet).outbound({ rules: teamRules({ allow: 'any' }) })
    expect((await outbound.fetch({ url: 'http://two.test/' }, never)).status).toBe(200)
    expect(internet.dialled).toEqual(['151.101.1.6:80', `${address}:80`])
  })

  it('gives a sign when refusals pile up, and again when they double', async () => {
    const signs: EgressSign[] = []
    const outbound = createEgress(internet).outbound({ rules, onSign: (sign) => signs.push(sign) })
    for (let i = 0; i < 19; i++) await outbound.fetch({ url: 'http://10.0.0.1/' }, never).catch(() => {})
    await outbound.fetch({ url: 'http://api.test/' }, never)
    expect(signs).toEqual([])
    for (let i = 0; i < 60; i++) await outbound.fetch({ url: 'file:///etc/passwd' }, never).catch(() => {})
    expect(signs).toEqual([20, 40].map((n) => ({ kind: 'egress-refusals', detail: `${n} requests were refused` })))
  })

  it('gives a sign of each mining pool that is asked for, once, whether it was allowed or not', async () => {
    const signs: EgressSign[] = []
    const outbound = createEgress(internet).outbound({ rules, onSign: (sign) => signs.push(sign) })
    for (const url of ['https://nanopool.org/', 'https://nanopool.org/again', 'http://api.test/nanopool.org'])
      await outbound.fetch({ url }, never).catch(() => {})
    await outbound.mayConnect('pool.supportxmr.com', 3333, never).catch(() => {})
    await outbound.exchange({ url: 'http://stratum.example.net/' }, never).catch(() => {})
    expect(signs.map(({ kind, detail }) => `${kind}: ${detail}`)).toEqual([
      'mining: it asked for the mining pool nanopool.org',
      'mining: it asked for the mining pool pool.supportxmr.com',
      'mining: it asked for the mining pool stratum.example.net',
    ])
  })

  it('says nothing of the host in its errors', async () => {
    const outbound = createEgress(internet).outbound({ rules: teamRules({ allow: 'any' }) })
    for (const url of ['http://127.0.0.1:1/', 'http://nowhere.test/', 'http://1.1.1.1/', 'https://api.test/']) {
      const error = await outbound.fetch({ url }, never).catch((failure: Error) => failure)
      expect(String((error as Error).message)).not.toMatch(/ECONN|ENET|node_modules|\/work|errno|127\.0\.0\.1:\d{4,}/)
    }
  })
})

describe('TLS', () => {
  async function serveTls() {
    const server = createServer({ cert: testCertificate, key: testKey }, (_, response) => response.end('secure'))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    return { port, close: () => new Promise((resolve) => server.close(resolve)) }
  }

  it('checks the certificate against the name that was asked for, not the address', async () => {
    const { port, close } = await serveTls()
    const names: Record<string, string[]> = { 'secure.test': ['127.0.0.1'], 'wrong.test': ['127.0.0.1'] }
    const options = {
      resolveHost: async (host: string) => names[host] ?? [],
      allowPrivate: [{ host: '127.0.0.1', port }],
    }
    const trusting = createEgress({ ...options, ca: testCertificate }).outbound({ rules: teamRules({ allow: 'any' }) })
    const { body } = await trusting.fetch({ url: `https://secure.test:${port}/` }, never)
    expect(Buffer.from(body).toString()).toBe('secure')
    await expect(trusting.fetch({ url: `https://wrong.test:${port}/` }, never)).rejects.toThrow(
      'certificate is not valid',
    )
    await expect(trusting.fetch({ url: `https://127.0.0.1:${port}/` }, never)).rejects.toThrow(
      'certificate is not valid',
    )
    const doubting = createEgress(options).outbound({ rules: teamRules({ allow: 'any' }) })
    await expect(doubting.fetch({ url: `https://secure.test:${port}/` }, never)).rejects.toThrow(
      'certificate is not valid',
    )
    await close()
  })

  it('goes through a tunnel: host and port are checked, and the socket is the checked connection', async () => {
    const { port, close } = await serveTls()
    const egress = createEgress({
      resolveHost: async (host: string) =>
        host === 'secure.test' ? ['127.0.0.1'] : host === 'inside.test' ? ['10.0.0.1'] : [],
      allowPrivate: [{ host: '127.0.0.1', port }],
    })
    const allow = [`https://secure.test:${port}/some/path`, `https://inside.test/`, `http://plain.test:${port}/`]
    const outbound = egress.outbound({ rules: teamRules({ allow }) })
    const socket = await outbound.mayConnect('secure.test', port, never)
    const tls = connect({ socket, servername: 'secure.test', ca: testCertificate })
    await new Promise((resolve) => tls.once('secureConnect', resolve))
    tls.destroy()

    for (const [host, to] of [
      ['secure.test', 443],
      ['plain.test', port],
      ['127.0.0.1', port],
      ['[::1]', port],
      ['user@secure.test', port],
      ['secure.test/x', port],
      ['secure.test:443#', port],
      ['', port],
      ['secure.test', 0],
      ['secure.test', 99_999],
    ] as const) {
      await expect(outbound.mayConnect(host, to, never), `${host} ${to}`).rejects.toMatchObject({
        code: 'URL_NOT_ALLOWED',
      })
    }
    await expect(outbound.mayConnect('inside.test', 443, never)).rejects.toMatchObject({ code: 'FETCH_FAILED' })
    expect(outbound.log()[0]).toMatchObject({ method: 'CONNECT', url: `https://secure.test:${port}`, error: null })
    expect(outbound.log()).toHaveLength(12)
    await close()
  })

  it('a tunnel to a literal private address or a refused port is refused even when everything is listed', async () => {
    const outbound = createEgress(internet).outbound({ rules: teamRules({ allow: 'any' }) })
    for (const host of ['127.0.0.1', '[::1]', '2130706433', 'localhost', '169.254.169.254']) {
      await expect(outbound.mayConnect(host, 443, never)).rejects.toMatchObject({ reason: 'private-address' })
    }
    for (const port of [22, 25, 5432]) {
      await expect(outbound.mayConnect('api.test', port, never)).rejects.toMatchObject({ reason: 'port' })
    }
    const opened = await outbound.mayConnect('api.test', 443, never)
    opened.destroy()
    expect(internet.dialled).toEqual([`${address}:443`])
  })
})

describe('operator rules', () => {
  it('reach private addresses and other ports, within their allow-list', async () => {
    const { dial, dialled } = internet
    await internet.serve('10.0.0.5', (_, response) => response.end('model'))
    const outbound = createEgress({ dial }).outbound({ rules: operatorRules({ allow: ['http://10.0.0.5:11434/'] }) })
    expect((await outbound.fetch({ url: 'http://10.0.0.5:11434/v1', method: 'POST' }, never)).status).toBe(200)
    await expect(outbound.fetch({ url: 'http://10.0.0.6:11434/' }, never)).rejects.toMatchObject({
      code: 'URL_NOT_ALLOWED',
    })
    expect(dialled).toEqual(['10.0.0.5:11434'])
  })
})
