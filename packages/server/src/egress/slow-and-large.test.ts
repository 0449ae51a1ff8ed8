import type { RequestListener, ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { brotliCompressSync, constants, createZstdCompress, gzipSync, zstdCompressSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createEgress } from './create-egress.ts'
import type { FetchedResponse } from './outbound.ts'
import { type EgressLimits, teamLimits, teamRules } from './rules.ts'
import { createTestInternet, never, type TestInternet } from './test-internet.ts'

const address = '93.184.216.34'
let internet: TestInternet

beforeEach(() => {
  internet = createTestInternet({ 'api.test': [address] })
})
afterEach(() => internet.close())

function fetchIt(limits: Partial<EgressLimits> = {}, maxBytes?: number): Promise<FetchedResponse> {
  const outbound = createEgress(internet).outbound({ rules: teamRules({ allow: 'any', limits }) })
  return outbound.fetch({ url: 'http://api.test/', ...(maxBytes !== undefined && { maxBytes }) }, never)
}

/** `closed` settles when the guard has let go of the socket. */
async function serveWatched(listener: RequestListener): Promise<{ closed: Promise<void> }> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await internet.serve(address, (request, response) => {
    request.socket.once('close', () => resolve())
    listener(request, response)
  })
  return { closed: promise }
}

function pour(response: ServerResponse, chunk: Buffer): void {
  while (!response.destroyed && response.write(chunk));
  if (!response.destroyed) response.once('drain', () => pour(response, chunk))
}

it('the limits are those of the rules: connect 5 s, headers 10 s, total 30 s, 10 MB', () => {
  expect(teamLimits).toMatchObject({
    connectMs: 5_000,
    headersMs: 10_000,
    totalMs: 30_000,
    bodyBytes: 10_000_000,
    redirects: 5,
  })
})

describe('N10: slow and endless', () => {
  it('a server that never answers is left at the headers’ time', async () => {
    const { promise: closed, resolve } = Promise.withResolvers<void>()
    await internet.serveTcp(address, (socket: Socket) => void socket.resume().once('close', () => resolve()))
    await expect(fetchIt({ headersMs: 200 })).rejects.toMatchObject({ code: 'FETCH_FAILED', reason: 'timeout' })
    await closed
  })

  it('headers that drip byte by byte are left at the headers’ time', async () => {
    await internet.serveTcp(address, (socket: Socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      const drip = setInterval(() => socket.write('x'), 20)
      socket.once('close', () => clearInterval(drip))
    })
    await expect(fetchIt({ headersMs: 200 })).rejects.toMatchObject({ reason: 'timeout' })
  })

  it('endless interim answers are left at the headers’ time', async () => {
    await internet.serveTcp(address, (socket: Socket) => {
      const drip = setInterval(() => socket.write('HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n'), 20)
      socket.once('close', () => clearInterval(drip))
    })
    await expect(fetchIt({ headersMs: 300 })).rejects.toMatchObject({ code: 'FETCH_FAILED' })
  })

  it('a body that drips is left at the total time and the socket is closed', async () => {
    // the total time begins to pass when the body does
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const { closed } = await serveWatched((_, response) => {
      response.write('x')
      const drip = setInterval(() => {
        response.write('x')
        vi.advanceTimersByTime(20)
      }, 20)
      response.once('close', () => clearInterval(drip))
    })
    await expect(fetchIt({ totalMs: 400 })).rejects.toMatchObject({ reason: 'timeout' })
    await closed
  })

  it('hops share the total time', async () => {
    await internet.serve(address, (_, response) => {
      setTimeout(() => response.writeHead(302, { location: '/' }).end(), 150)
    })
    await expect(fetchIt({ totalMs: 400 })).rejects.toMatchObject({ reason: 'timeout' })
  })

  it('a connection that is not taken is left at the connection’s time', async () => {
    const dial = (_: string, __: number, signal: AbortSignal) =>
      new Promise<Socket>((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('late'))))
    const outbound = createEgress({ ...internet, dial }).outbound({
      rules: teamRules({ allow: 'any', limits: { connectMs: 200 } }),
    })
    await expect(outbound.fetch({ url: 'http://api.test/' }, never)).rejects.toMatchObject({
      code: 'FETCH_FAILED',
      reason: 'timeout',
    })
  })

  it('a TLS handshake that never ends is left at the connection’s time', async () => {
    await internet.serveTcp(address, () => {})
    const outbound = createEgress(internet).outbound({ rules: teamRules({ allow: 'any', limits: { connectMs: 200 } }) })
    await expect(outbound.fetch({ url: 'https://api.test/' }, never)).rejects.toMatchObject({ code: 'FETCH_FAILED' })
  })

  it('an endless body is cut and the socket closed', async () => {
    const { closed } = await serveWatched((_, response) => pour(response, Buffer.alloc(65_536, 'a')))
    const response = await fetchIt()
    expect(response).toMatchObject({ truncated: true })
    expect(response.body).toHaveLength(1_000_000)
    await closed
  })

  it('a megabyte of headers is refused', async () => {
    await internet.serveTcp(address, (socket: Socket) => {
      socket.write('HTTP/1.1 200 OK\r\n')
      for (let i = 0; i < 1_000; i++) socket.write(`x-${i}: ${'a'.repeat(1_000)}\r\n`)
      socket.end('\r\n')
    })
    await expect(fetchIt()).rejects.toMatchObject({ code: 'FETCH_FAILED', reason: 'too-large' })
  })

  it('a server that resets connections at any moment fails requests and nothing else', async () => {
    let taken = 0
    await internet.serveTcp(address, (socket: Socket) => {
      const turn = taken++ % 4
      if (turn === 0) socket.resetAndDestroy()
      if (turn === 1) setImmediate(() => socket.resetAndDestroy())
      if (turn === 2) socket.once('data', () => socket.resetAndDestroy())
      if (turn === 3) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc', () => socket.resetAndDestroy())
    })
    for (const url of ['http://api.test/', 'https://api.test/']) {
      const outbound = createEgress(internet).outbound({ rules: teamRules({ allow: 'any' }) })
      const ends = await Promise.allSettled(Array.from({ length: 40 }, () => outbound.fetch({ url }, never)))
      for (const end of ends) expect(end).toMatchObject({ status: 'rejected', reason: { code: 'FETCH_FAILED' } })
    }
  })

  it('a tunnel whose other end resets is closed, and nobody has to listen for the error', async () => {
    const server = createTcpServer((socket) => void setImmediate(() => socket.resetAndDestroy()))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const egress = createEgress({ allowPrivate: [{ host: '127.0.0.1', port }] })
    const outbound = egress.outbound({ rules: teamRules({ allow: 'any' }) })
    const opened = await Promise.allSettled(
      Array.from({ length: 20 }, async () => {
        const socket = await outbound.mayConnect('127.0.0.1', port, never)
        if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve))
      }),
    )
    expect(opened.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0)
    await new Promise((resolve) => server.close(resolve))
  })

  it('what is not HTTP is refused', async () => {
    await internet.serveTcp(address, (socket: Socket) => socket.end('SSH-2.0-OpenSSH_9.2\r\n'))
    await expect(fetchIt()).rejects.toMatchObject({ code: 'FETCH_FAILED' })
  })

  it('the outbound’s signal ends a request under way', async () => {
    const controller = new AbortController()
    const { closed } = await serveWatched((_, response) => {
      response.write('x')
      setTimeout(() => controller.abort(), 100)
    })
    const outbound = createEgress(internet).outbound({ rules: teamRules({ allow: 'any' }) })
    const request = outbound.fetch({ url: 'http://api.test/' }, controller.signal)
    await expect(request).rejects.toMatchObject({ code: 'FETCH_FAILED', reason: 'aborted' })
    await closed
  })
})

describe('body sizes', () => {
  it.each([
    [undefined, 999_999, 999_999, false],
    [undefined, 1_000_000, 1_000_000, false],
    [undefined, 1_000_001, 1_000_000, true],
    [10, 11, 10, true],
    [5_000_000, 4_000_000, 4_000_000, false],
    [99_000_000, 12_000_000, 10_000_000, true],
    [0, 5, 0, true],
  ])('asked for %s of %i gives %i', async (maxBytes, size, given, truncated) => {
    await internet.serve(address, (_, response) => response.end(Buffer.alloc(size, 'a')))
    const response = await fetchIt({}, maxBytes)
    expect([response.body.length, response.truncated]).toEqual([given, truncated])
  })
})

describe('R11: bombs', () => {
  const zeros = Buffer.alloc(50_000_000)
  const bombs: [string, () => Buffer][] = [
    ['gzip', () => gzipSync(zeros)],
    ['br', () => brotliCompressSync(zeros, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })],
    ['zstd', () => zstdCompressSync(zeros)],
    ['gzip, gzip', () => gzipSync(gzipSync(zeros))],
  ]
  it.each(bombs)('50 MB in %s end at 10 MB decoded', async (encoding, make) => {
    const bomb = make()
    expect(bomb.length).toBeLessThan(200_000)
    const { closed } = await serveWatched((_, response) => {
      response.setHeader('content-encoding', encoding)
      response.write(bomb)
    })
    const before = process.memoryUsage().arrayBuffers
    const response = await fetchIt({}, 10_000_000)
    expect(response).toMatchObject({ truncated: true })
    expect(response.body).toHaveLength(10_000_000)
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(45_000_000)
    await closed
  })

  it('a stream of gzip members without end is cut', async () => {
    const member = gzipSync(Buffer.alloc(1_000_000))
    const { closed } = await serveWatched((_, response) => {
      response.setHeader('content-encoding', 'gzip')
      pour(response, member)
    })
    expect((await fetchIt()).body).toHaveLength(1_000_000)
    await closed
  })

  it('encodings piled up, unknown or broken are refused', async () => {
    const answers: [string, Buffer][] = [
      ['gzip, gzip, gzip', gzipSync(gzipSync(gzipSync('x')))],
      ['compress', Buffer.from('x')],
      ['gzip', Buffer.from('not gzip at all')],
      ['br', Buffer.from('not brotli at all')],
      ['zstd', Buffer.from('not zstd at all')],
    ]
    let next = 0
    await internet.serve(address, (_, response) => {
      const [encoding, body] = answers[next++] ?? ['', Buffer.alloc(0)]
      response.setHeader('content-encoding', encoding).end(body)
    })
    for (const [encoding] of answers) {
      await expect(fetchIt(), encoding).rejects.toMatchObject({ code: 'FETCH_FAILED', reason: 'response' })
    }
  })

  it.each(['gzip', 'deflate', 'br', 'zstd'])('an empty answer that calls itself %s is empty', async (encoding) => {
    let isChunked = false
    await internet.serve(address, (_, response) => {
      response.writeHead(200, { 'content-encoding': encoding, ...(isChunked ? {} : { 'content-length': '0' }) }).end()
    })
    expect((await fetchIt()).body).toHaveLength(0)
    isChunked = true
    expect((await fetchIt()).body).toHaveLength(0)
  })

  it('a window of 128 MB is refused, one of 8 MB is not', async () => {
    let windowLog = 27
    await internet.serve(address, (_, response) => {
      // one that does not know how long it will be says how much whoever reads it has to hold
      const encoder = createZstdCompress({ params: { [constants.ZSTD_c_windowLog]: windowLog } })
      encoder.pipe(response.setHeader('content-encoding', 'zstd'))
      encoder.write('hello')
      encoder.flush(() => encoder.end())
    })
    await expect(fetchIt()).rejects.toMatchObject({ code: 'FETCH_FAILED', reason: 'response' })
    windowLog = 23
    expect(Buffer.from((await fetchIt()).body).toString()).toBe('hello')
  })

  it.each(bombs)('an honest %s answer is decoded', async (encoding) => {
    const compress = { gzip: gzipSync, br: brotliCompressSync, zstd: zstdCompressSync }
    const body = encoding
      .split(', ')
      .reduce<Buffer>((data, name) => compress[name as keyof typeof compress](data), Buffer.from('hello'))
    await internet.serve(address, (_, response) => response.setHeader('content-encoding', encoding).end(body))
    expect(Buffer.from((await fetchIt()).body).toString()).toBe('hello')
  })
})
