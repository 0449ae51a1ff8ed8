import { once } from 'node:events'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { duplexPair } from 'node:stream'
import { text } from 'node:stream/consumers'
import { connect as connectTls } from 'node:tls'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createEgress } from '../create-egress.ts'
import type { EgressSign } from '../egress-sign.ts'
import type { Outbound } from '../outbound.ts'
import { teamRules } from '../rules.ts'
import { testCertificate, testKey } from '../test-certificate.ts'
import { createTestInternet, type TestInternet } from '../test-internet.ts'
import { createProxy, type Proxy, type ProxyLimits } from './create-proxy.ts'

const address = '93.184.216.34'
const privateSpellings = ['127.0.0.1', '2130706433', '0x7f000001', '0177.0.0.1', '127.1', '[::1]', '[::ffff:127.0.0.1]']

interface Seen {
  line: string
  headers: string[]
  body: string
}

let internet: TestInternet
let seen: Seen[]
const closing: (() => void | Promise<void>)[] = []

beforeEach(async () => {
  internet = createTestInternet({ 'api.test': [address], 'inside.test': ['10.0.0.1'] })
  seen = []
  await internet.serve(address, async (request, response) => {
    const body = await text(request)
    seen.push({ line: `${request.method} ${request.url}`, headers: request.rawHeaders, body })
    if (request.url === '/gzip') {
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('packed'))
    } else if (request.url === '/away') {
      response.writeHead(302, { location: 'http://127.0.0.1:1/secret' }).end()
    } else if (request.url === '/broken') {
      response.writeHead(200, { 'content-length': '1000' }).write('half')
      setImmediate(() => response.destroy())
    } else if (request.url === '/large') {
      response.end(Buffer.alloc(300_000))
    } else {
      response.writeHead(200, { connection: 'close, x-hop', 'x-hop': 'one', 'x-end': 'two' }).end('hello')
    }
  })
})
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
  await internet.close()
})

async function startProxy(allow: string[] | 'any', limits?: Partial<ProxyLimits>) {
  const signs: EgressSign[] = []
  const rules = teamRules({ allow })
  const outbound: Outbound = createEgress(internet).outbound({ rules, onSign: (sign) => signs.push(sign) })
  const proxy: Proxy = createProxy(outbound, limits)
  const server: Server = createServer({ allowHalfOpen: true }, (socket) => proxy.accept(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  closing.push(async () => {
    await proxy.close()
    server.close()
  })
  const open = (): Socket => connect({ port, host: '127.0.0.1' }).on('error', () => {})
  /** Sends bytes as they are and returns whatever comes back until the connection ends. */
  const ask = async (...parts: string[]): Promise<string> => {
    const client = open()
    client.write(parts.join(''), 'latin1')
    return text(client).catch(() => '')
  }
  const get = (url: string, method = 'GET') => ask(`${method} ${url} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`)
  return { outbound, proxy, signs, open, ask, get }
}

const statusOf = (answer: string) => Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1])

describe('plain HTTP through the proxy', () => {
  it('arrives as the client sent it, without what belongs to the connection', async () => {
    const { ask, outbound } = await startProxy(['http://api.test/'])
    const answer = await ask(
      'POST http://api.test/submit?a=1 HTTP/1.1\r\nHost: elsewhere.test\r\nProxy-Authorization: Basic c2VjcmV0\r\n',
      'Proxy-Connection: keep-alive\r\nX-Named: gone\r\nConnection: close, X-Named\r\nX-Kept: here\r\n',
      'Accept-Encoding: identity\r\nContent-Length: 4\r\n\r\nbody',
    )
    expect(seen).toHaveLength(1)
    expect(seen[0]).toMatchObject({ line: 'POST /submit?a=1', body: 'body' })
    const names = seen[0]?.headers.map((text) => text.toLowerCase()) ?? []
    expect(names).toEqual(expect.arrayContaining(['host', 'api.test', 'x-kept', 'here', 'accept-encoding', 'identity']))
    for (const gone of ['proxy-authorization', 'proxy-connection', 'x-named']) expect(names).not.toContain(gone)
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(answer).toContain('x-end: two')
    expect(answer).not.toContain('x-hop')
    expect(answer.endsWith('hello') || answer.endsWith('5\r\nhello\r\n0\r\n\r\n')).toBe(true)
    expect(outbound.log()).toMatchObject([
      { method: 'POST', url: 'http://api.test/submit?a=1', status: 200, bytes: 5, error: null },
    ])
  })

  it('serves several requests on one connection, each checked for itself', async () => {
    const { open } = await startProxy(['http://api.test/a/'])
    const client = open()
    const paths = ['/a/1', '/b', '/a/2', '/a/%2e%2e/b', '/a/../b']
    for (const path of paths) client.write(`GET http://api.test${path} HTTP/1.1\r\nHost: api.test\r\n\r\n`)
    client.write('GET http://other.test/ HTTP/1.1\r\nHost: api.test\r\nConnection: close\r\n\r\n')
    const answer = await text(client)
    expect([...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual([
      '200',
      '403',
      '200',
      '403',
      '403',
      '403',
    ])
    expect(seen.map(({ line }) => line)).toEqual(['GET /a/1', 'GET /a/2'])
    expect(answer).toContain('Cannot fetch "http://api.test/b": it is not in the allow-list')
  })

  it('leaves bodies as they are encoded, and redirects to the client', async () => {
    const { open, get } = await startProxy(['http://api.test/'])
    const client = open()
    client.write('GET http://api.test/gzip HTTP/1.0\r\nAccept-Encoding: gzip\r\n\r\n')
    const chunks: Buffer[] = []
    for await (const chunk of client as AsyncIterable<Buffer>) chunks.push(chunk)
    const answer = Buffer.concat(chunks)
    expect(gunzipSync(answer.subarray(answer.indexOf('\r\n\r\n') + 4)).toString()).toBe('packed')
    expect(await get('http://api.test/away')).toMatch(/^HTTP\/1\.1 302 Found\r\n[^]*location: http:\/\/127\.0\.0\.1:1/i)
    expect(statusOf(await get('http://127.0.0.1:1/secret'))).toBe(403)
  })

  it('refuses private addresses in every spelling, refused ports and other schemes, even when all is allowed', async () => {
    const { get, outbound, signs } = await startProxy('any')
    for (const host of privateSpellings) expect(statusOf(await get(`http://${host}/`)), host).toBe(403)
    const others = ['http://localhost/', 'http://169.254.169.254/latest/', 'http://api.test:22/', 'http://a@api.test/']
    for (const url of [...others, 'ftp://api.test/', 'file:///etc/passwd', 'gopher://api.test/', '/']) {
      expect(statusOf(await get(url)), url).toBe(403)
    }
    expect(statusOf(await get('http://inside.test/'))).toBe(502)
    expect(statusOf(await get('http://nowhere.test/'))).toBe(502)
    expect(statusOf(await get('http://api.test/', 'TRACE'))).toBe(403)
    for (let more = 0; more < 10; more++) await get('http://127.0.0.1/')
    expect(internet.dialled).toEqual([])
    expect(signs).toEqual([{ kind: 'egress-refusals', detail: '20 requests were refused' }])
    expect(outbound.log().every(({ error, bytes }) => error !== null && bytes === 0)).toBe(true)
  })

  it('breaks off where the answer broke off', async () => {
    const { get, outbound } = await startProxy(['http://api.test/'])
    const answer = await get('http://api.test/broken')
    expect(answer === '' || answer.includes('content-length: 1000')).toBe(true)
    expect(outbound.log()).toMatchObject([{ status: 200, bytes: 4, error: 'FETCH_FAILED' }])
  })
})

describe('requests that two parsers could read in two ways', () => {
  const line = 'POST http://api.test/ HTTP/1.1\r\n'
  const hidden = 'GET http://api.test/hidden HTTP/1.1\r\nHost: x\r\n\r\n'
  const attempts: Record<string, string> = {
    'length and chunks': `${line}Host: x\r\nContent-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`,
    'two lengths': `${line}Host: x\r\nContent-Length: 0\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`,
    'a length that is none': `${line}Host: x\r\nContent-Length: +4\r\n\r\nbody`,
    'a list of lengths': `${line}Host: x\r\nContent-Length: 4, 4\r\n\r\nbody`,
    'an unknown transfer encoding': `${line}Host: x\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${hidden}`,
    'chunked, but not last': `${line}Host: x\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${hidden}`,
    'a folded header': `${line}Host: x\r\nX-A: 1\r\n Transfer-Encoding: chunked\r\n\r\n${hidden}`,
    'lines that end in LF alone': `POST http://api.test/ HTTP/1.1\nHost: x\nContent-Length: 0\n\n${hidden}`,
    'a space before the colon': `${line}Host: x\r\nContent-Length : 0\r\n\r\n${hidden}`,
    'a NUL in a header': `${line}Host: x\r\nX-A: a\0b\r\n\r\n`,
    'a carriage return in a header': `${line}Host: x\r\nX-A: a\rTransfer-Encoding: chunked\r\n\r\n`,
    'a chunk size that is none': `${line}Host: x\r\nTransfer-Encoding: chunked\r\n\r\n0x4\r\nbody\r\n0\r\n\r\n`,
    'a tab in the address': 'GET http://api.test/\t HTTP/1.1\r\nHost: x\r\n\r\n',
    'no HTTP at all': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
    SOCKS: '\x05\x01\x00',
    'headers without end': `${line}Host: x\r\nX-Long: ${'a'.repeat(40_000)}`,
  }
  for (const [title, bytes] of Object.entries(attempts)) {
    it(`are refused: ${title}`, async () => {
      const { ask } = await startProxy(['http://api.test/'])
      const answer = await ask(bytes)
      expect([400, 403, 431]).toContain(statusOf(answer))
      expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1)
      expect(seen).toEqual([])
    })
  }
})

describe('a tunnel', () => {
  async function serveTls() {
    const server = createTlsServer({ cert: testCertificate, key: testKey }, (_, response) => response.end('secret'))
    await internet.serveTcp(address, (socket) => server.emit('connection', socket))
    closing.push(() => void server.close())
  }

  it('carries TLS to an allowed host, and the log tells how much', async () => {
    await internet.close()
    internet = createTestInternet({ 'secure.test': [address] })
    await serveTls()
    const { open, proxy, outbound } = await startProxy(['https://secure.test/only/this'])
    const client = open()
    client.write('CONNECT secure.test:443 HTTP/1.1\r\nHost: secure.test:443\r\n\r\n')
    const established = await new Promise<string>((resolve) => client.once('data', (data) => resolve(data.toString())))
    expect(established).toBe('HTTP/1.1 200 Connection established\r\n\r\n')
    const tls = connectTls({ socket: client, servername: 'secure.test', ca: testCertificate })
    tls.write('GET /anything HTTP/1.1\r\nHost: secure.test\r\nConnection: close\r\n\r\n')
    expect(await text(tls)).toContain('secret')
    await proxy.close()
    const [entry] = outbound.log()
    expect(entry).toMatchObject({ method: 'CONNECT', url: 'https://secure.test:443', status: null, error: null })
    expect(entry?.bytes).toBeGreaterThan(1_000)
  })

  it('is refused to other hosts and ports, where only plain HTTP is allowed, and inside, in every spelling', async () => {
    const { ask, outbound } = await startProxy(['https://api.test/', 'http://plain.test/', 'https://inside.test/'])
    const refused = [
      'other.test:443',
      'api.test:80',
      'api.test:8443',
      'plain.test:80',
      'api.test:443@x.test:443',
      'api.test',
    ]
    for (const target of [
      ...refused,
      ...privateSpellings.map((host) => `${host}:443`),
      ':443',
      'api.test:0',
      'api.test:99999',
    ]) {
      const answer = await ask(`CONNECT ${target} HTTP/1.1\r\nHost: x\r\n\r\n`)
      expect([400, 403], target).toContain(statusOf(answer))
    }
    expect(statusOf(await ask('CONNECT inside.test:443 HTTP/1.1\r\nHost: x\r\n\r\n'))).toBe(502)
    expect(internet.dialled).toEqual([])
    expect(outbound.log().every(({ method, error }) => method === 'CONNECT' && error !== null)).toBe(true)

    const { ask: askAny } = await startProxy('any')
    for (const target of [
      ...privateSpellings.map((host) => `${host}:443`),
      'api.test:22',
      'api.test:25',
      'localhost:443',
    ]) {
      expect(statusOf(await askAny(`CONNECT ${target} HTTP/1.1\r\nHost: x\r\n\r\n`)), target).toBe(403)
    }
    expect(internet.dialled).toEqual([])
  })
})

describe('miners', () => {
  it('are heard by what they say first through a tunnel, whoever it leads to', async () => {
    await internet.close()
    internet = createTestInternet({ 'secure.test': [address] })
    await internet.serveTcp(address, (socket) => socket.once('data', () => socket.end('heard')))
    const { open, signs } = await startProxy(['https://secure.test/'])
    const tunnel = async (words: string) => {
      const client = open()
      client.write('CONNECT secure.test:443 HTTP/1.1\r\nHost: secure.test:443\r\n\r\n')
      await once(client, 'data')
      client.write(words)
      expect(String(await once(client, 'data'))).toBe('heard')
      client.destroy()
    }
    await tunnel('{"method":"getinfo"}\n')
    expect(signs).toEqual([])
    await tunnel('{"id":1,"method":"mining.subscribe","params":[]}\n')
    expect(signs).toEqual([{ kind: 'mining', detail: 'it spoke as a miner does to secure.test' }])
  })
})

describe('bounds of a proxy', () => {
  it('more bytes than it may pass end the transfer, and all that come after', async () => {
    const { get, outbound } = await startProxy(['http://api.test/'], { totalBytes: 100_000 })
    await get('http://api.test/large')
    expect(outbound.log()).toMatchObject([{ error: 'LIMIT_EXCEEDED' }])
    expect(statusOf(await get('http://api.test/'))).toBe(413)
  })

  it('a body that is too large is refused, and the connection with it', async () => {
    const { ask } = await startProxy(['http://api.test/'], { requestBodyBytes: 1_000 })
    const body = 'x'.repeat(2_000)
    const answer = await ask(`POST http://api.test/ HTTP/1.1\r\nHost: x\r\nContent-Length: 2000\r\n\r\n${body}`)
    expect(statusOf(answer)).toBe(413)
    expect(seen).toEqual([])
  })

  it('bodies that together are more than may be held are refused, and there is room again afterwards', async () => {
    const { open, ask } = await startProxy(['http://api.test/'], { heldBytes: 3_000 })
    const head = 'POST http://api.test/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2000\r\n\r\n'
    const half = open()
    half.write(`${head}${'x'.repeat(1_900)}`)
    await expect.poll(async () => statusOf(await ask(head, 'y'.repeat(2_000)))).toBe(413)
    const answer = text(half)
    half.write('x'.repeat(100))
    expect(statusOf(await answer)).toBe(200)
    expect(statusOf(await ask(head, 'y'.repeat(2_000)))).toBe(200)
  })

  it('connections beyond those at once are told so until one of them ends', async () => {
    const { open, get } = await startProxy(['http://api.test/'], { connections: 2 })
    const silent = [open(), open()]
    await Promise.all(silent.map((socket) => new Promise((resolve) => socket.once('connect', resolve))))
    expect(statusOf(await get('http://api.test/'))).toBe(429)
    silent[0]?.destroy()
    await expect.poll(async () => statusOf(await get('http://api.test/'))).toBe(200)
  })

  it('silent connections are closed and leave room for others', async () => {
    const { open, get } = await startProxy(['http://api.test/'], { connections: 2, idleMs: 300 })
    const ends = [open(), open()].map((socket) => new Promise((resolve) => socket.resume().once('close', resolve)))
    await Promise.all(ends)
    expect(statusOf(await get('http://api.test/'))).toBe(200)
  })

  it('a flood of requests in one packet ends at the number that a connection takes', async () => {
    const { ask, outbound } = await startProxy(['http://api.test/'])
    const answer = await ask('GET http://other.test/ HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(2_000))
    expect(answer.match(/HTTP\/1\.1 /g)?.length ?? 0).toBeLessThanOrEqual(100)
    expect(outbound.log().length).toBeLessThanOrEqual(100)
  })

  it('a flood whose answers nobody reads breaks its connection and nothing else', async () => {
    const { proxy } = await startProxy(['http://api.test/'])
    const flood = Buffer.from('GET http://other.test/ HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(2_000))
    // an error that nobody catches would end the test, as it would end a server
    for (let round = 0; round < 60; round++) {
      const [client, inside] = duplexPair()
      client.on('error', () => {})
      proxy.accept(inside)
      const size = 200 + ((round * 7_919) % 40_000)
      for (let at = 0; at < flood.length && !client.destroyed; at += size) {
        client.write(flood.subarray(at, at + size))
        if ((at / size) % 4 === 3) await new Promise((resolve) => setImmediate(resolve))
      }
      client.resume()
      await expect.poll(() => inside.destroyed).toBe(true)
    }
  })

  it('closed, it ends what goes on and takes nothing more', async () => {
    const { open, proxy, get } = await startProxy(['http://api.test/'])
    const client = open().resume()
    const end = new Promise((resolve) => client.once('close', resolve))
    await new Promise((resolve) => client.once('connect', resolve))
    expect(statusOf(await get('http://api.test/'))).toBe(200)
    await proxy.close()
    await end
    expect(await get('http://api.test/')).toBe('')
  })
})
