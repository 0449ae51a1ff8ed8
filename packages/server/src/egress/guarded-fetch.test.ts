import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createEgress } from './create-egress.ts'
import { operatorRules, teamRules } from './rules.ts'
import { createTestInternet, type TestInternet } from './test-internet.ts'

const address = '93.184.216.34'
let internet: TestInternet
beforeEach(() => {
  internet = createTestInternet({ 'api.test': [address] })
})
afterEach(() => internet.close())

describe('fetchFor()', () => {
  it('behaves as the fetch that libraries know', async () => {
    await internet.serve(address, async (request, response) => {
      const body = (await request.toArray()).join('')
      if (request.url === '/from') return void response.writeHead(302, { location: '/to' }).end()
      response.setHeader('content-encoding', 'gzip')
      response.end(gzipSync(JSON.stringify({ method: request.method, type: request.headers['content-type'], body })))
    })
    const fetch = createEgress(internet).fetchFor(teamRules({ allow: ['http://api.test/'], methods: ['GET', 'POST'] }))
    const headers = { 'content-type': 'application/json' }
    const posted = await fetch(new URL('http://api.test/x'), { method: 'POST', headers, body: '{}' })
    expect(posted.headers.has('content-encoding')).toBe(false)
    expect(await posted.json()).toEqual({ method: 'POST', type: 'application/json', body: '{}' })
    const got = await fetch(new Request('http://api.test/from'))
    expect([got.ok, got.url, got.redirected]).toEqual([true, 'http://api.test/to', true])
    expect((await fetch('http://api.test/', { method: 'GET' })).status).toBe(200)
  })

  it('streams the body as it comes', async () => {
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
    await internet.serve(address, async (_, response) => {
      response.write('first')
      await asked
      response.end('second')
    })
    const response = await createEgress(internet).fetchFor(operatorRules({ allow: 'any' }))('http://93.184.216.34/')
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    expect(await reader?.read()).toEqual({ done: false, value: 'first' })
    ask()
    expect(await reader?.read()).toEqual({ done: false, value: 'second' })
  })

  it('refuses with a TypeError whose cause is the guard’s', async () => {
    const fetch = createEgress(internet).fetchFor(teamRules({ allow: 'any' }))
    for (const url of ['http://127.0.0.1/', 'http://2130706433/', 'http://[::1]/', 'file:///etc/passwd']) {
      const error = await fetch(url).catch((failure: unknown) => failure)
      expect(error).toBeInstanceOf(TypeError)
      expect((error as TypeError).cause).toMatchObject({ code: 'URL_NOT_ALLOWED' })
    }
    await expect(fetch('http://api.test/', { method: 'DELETE' })).rejects.toMatchObject({
      cause: { code: 'METHOD_NOT_ALLOWED' },
    })
  })

  it('breaks a body that is too slow or no longer wanted instead of cutting it in silence', async () => {
    await internet.serve(address, (_, response) => {
      response.write('x')
    })
    // the clock stands still until the answer has begun
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const fetch = createEgress(internet).fetchFor(teamRules({ allow: 'any', limits: { totalMs: 400 } }))
    const slow = await fetch('http://api.test/slow')
    const broken = expect(slow.text()).rejects.toThrow()
    vi.advanceTimersByTime(400)
    await broken
    const controller = new AbortController()
    const stopped = await fetch('http://api.test/slow', { signal: controller.signal })
    controller.abort()
    await expect(stopped.text()).rejects.toThrow()
  })

  it('lets go of an answer it cannot decode', async () => {
    const { promise: closed, resolve } = Promise.withResolvers<void>()
    await internet.serve(address, (request, response) => {
      request.socket.once('close', () => resolve())
      response.setHeader('content-encoding', 'compress').write('x')
    })
    await expect(createEgress(internet).fetchFor(teamRules({ allow: 'any' }))('http://api.test/')).rejects.toThrow(
      'fetch failed',
    )
    await closed
  })

  it('stops a bomb while it streams', async () => {
    await internet.serve(address, (_, response) => {
      response.setHeader('content-encoding', 'gzip').end(gzipSync(Buffer.alloc(30_000_000)))
    })
    const response = await createEgress(internet).fetchFor(teamRules({ allow: 'any' }))('http://api.test/')
    await expect(response.arrayBuffer()).rejects.toThrow('longer than 10000000 bytes')
  })
})
