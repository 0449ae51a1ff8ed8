import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEgress, type EgressSign, teamRules } from '../egress/index.ts'
import type { Capabilities } from './capability.ts'
import { createCapabilities, type Allowances } from './create-capabilities.ts'
import { createMemoryFileSpace } from './files/memory-file-space.ts'

const signal = new AbortController().signal

function caller(grants: Allowances) {
  const { capabilities } = createCapabilities(grants)
  return (name: string, ...args: unknown[]) => callOn(capabilities, name, args)
}

function callOn(capabilities: Capabilities, name: string, args: unknown[]): Promise<unknown> {
  const [capability = '', method = ''] = name.split('.')
  const found = capabilities[capability]?.methods[method]
  if (!found) throw new Error(`no ${name}`)
  return found(args, signal)
}

describe('createCapabilities()', () => {
  it('grants exactly what it was given', () => {
    expect(Object.keys(createCapabilities({}).capabilities)).toEqual([])
    const { capabilities } = createCapabilities({ files: createMemoryFileSpace(), vars: {}, echo: true })
    expect(
      Object.fromEntries(Object.entries(capabilities).map(([name, { methods }]) => [name, Object.keys(methods)])),
    ).toEqual({
      FILES: ['read', 'write', 'append', 'delete', 'stat', 'exists', 'mkdir', 'readdir', 'rmdir', 'rename'],
      VARS: ['get', 'all'],
      ECHO: ['ping', 'info', 'echo'],
    })
  })

  it('answers nobody whose run has ended', async () => {
    const { capabilities } = createCapabilities({ files: createMemoryFileSpace(), echo: true })
    const ended = AbortSignal.abort()
    for (const { methods } of Object.values(capabilities)) {
      for (const method of Object.values(methods))
        await expect(method([], ended)).rejects.toMatchObject({ code: 'CANCELLED' })
    }
  })
})

describe('FILES', () => {
  it('reads large files one at a time, the next when the last was taken', async () => {
    const space = createMemoryFileSpace({ files: { large: new Uint8Array(300_000), small: 'x' } })
    const begun: string[] = []
    const read = (path: string) => {
      begun.push(path)
      return space.read(path)
    }
    const { capabilities } = createCapabilities({ files: { ...space, read } })
    const taken = Promise.withResolvers<void>()
    const [first, second] = [taken.promise, undefined].map((until) =>
      capabilities['FILES']?.methods['read']?.(['large'], signal, until),
    )
    expect(await first).toHaveLength(300_000)
    expect(await callOn(capabilities, 'FILES.read', ['small'])).toBe('x')
    for (let turn = 0; turn < 10; turn++) await setImmediate()
    expect(begun).toEqual(['large', 'small'])
    taken.resolve()
    expect(await second).toHaveLength(300_000)
    await expect(callOn(capabilities, 'FILES.read', ['none'])).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('reads and writes text, base64 and bytes', async () => {
    const call = caller({ files: createMemoryFileSpace() })
    expect(await call('FILES.write', 'a.txt', 'héllo')).toBe(null)
    expect(await call('FILES.read', 'a.txt')).toBe('héllo')
    expect(await call('FILES.read', 'a.txt', { encoding: 'base64' })).toBe('aMOpbGxv')
    expect(await call('FILES.read', 'a.txt', { encoding: 'bytes' })).toEqual(new Uint8Array(Buffer.from('héllo')))
    await call('FILES.write', 'b.bin', new Uint8Array([0xff, 0xfe]))
    await call('FILES.append', 'b.bin', 'AA==', { encoding: 'base64' })
    expect(await call('FILES.read', 'b.bin', { encoding: 'base64' })).toBe('//4A')
    await expect(call('FILES.read', 'b.bin')).rejects.toMatchObject({ code: 'EILSEQ' })
    await call('FILES.write', 'bom', '\ufeffx')
    expect(await call('FILES.read', 'bom')).toBe('\ufeffx')
    await call('FILES.mkdir', 'd/e', { recursive: true })
    await call('FILES.rename', 'a.txt', 'd/e/a.txt')
    expect(await call('FILES.readdir')).toMatchObject([
      { name: 'b.bin' },
      { name: 'bom' },
      { name: 'd', type: 'directory' },
    ])
    expect(await call('FILES.exists', 'a.txt')).toBe(false)
    expect(await call('FILES.stat', 'd/e/a.txt')).toMatchObject({ path: '/d/e/a.txt', size: 6 })
    await call('FILES.delete', 'd/e/a.txt')
    await call('FILES.rmdir', 'd', { recursive: true })
  })

  it.each([
    ['FILES.read', []],
    ['FILES.read', [1]],
    ['FILES.read', ['a', { encoding: 'latin1' }]],
    ['FILES.read', ['a', { unknown: 1 }]],
    ['FILES.read', ['a', {}, 'more']],
    ['FILES.read', [{ toString: 'a' }]],
    ['FILES.write', ['a', 5]],
    ['FILES.write', ['a', null]],
    ['FILES.write', ['a', { __proto__: null, length: 9e9 }]],
    ['FILES.write', ['a', 'not base64!', { encoding: 'base64' }]],
    ['FILES.write', ['a', 'YQ', { encoding: 'base64' }]],
    ['FILES.mkdir', ['a', { recursive: 'yes' }]],
    ['FILES.rename', ['a']],
    ['VARS.get', [['a']]],
    ['ECHO.ping', [1]],
  ])('%s(%j) is a mistake of the caller, named', async (name, args) => {
    const call = caller({ files: createMemoryFileSpace(), vars: {}, echo: true })
    await expect(call(name, ...args)).rejects.toMatchObject({
      name: 'CapabilityError',
      code: 'INVALID_ARGUMENT',
      message: /^Cannot /,
    })
  })

  it('hands many large files over without holding up the server', async () => {
    const call = caller({ files: createMemoryFileSpace() })
    await call('FILES.write', 'large', 'x'.repeat(4_000_000))
    let beats = 0
    const beat = setInterval(() => beats++, 0)
    const reads = Array.from({ length: 30 }, async () => JSON.stringify(await call('FILES.read', 'large')).length)
    expect(await Promise.all(reads)).toEqual(reads.map(() => 4_000_002))
    clearInterval(beat)
    expect(beats).toBeGreaterThan(5)
  })

  it('states which space it is and what it holds', async () => {
    const call = caller({ files: createMemoryFileSpace({ quota: { maxBytes: 5 } }), echo: true })
    expect(await call('ECHO.info')).toMatchObject({
      calls: 1,
      capabilities: {
        FILES: { props: { space: 'scratch', maxBytes: 5, readOnly: false } },
        ECHO: { methods: ['ping', 'info', 'echo'] },
      },
    })
  })
})

describe('VARS and ECHO', () => {
  it('give variables by name, and only those', async () => {
    const vars = JSON.parse('{"A":"1","__proto__":"2"}') as Record<string, string>
    const call = caller({ vars })
    expect(await call('VARS.get', 'A')).toBe('1')
    expect(await call('VARS.get', '__proto__')).toBe('2')
    for (const name of ['constructor', 'toString', 'PATH', '']) expect(await call('VARS.get', name)).toBe(null)
    expect(JSON.stringify(await call('VARS.all'))).toBe('{"A":"1","__proto__":"2"}')
    expect(({} as Record<string, unknown>)['2']).toBe(undefined)
  })

  it('ping and echo come back as they went', async () => {
    const call = caller({ echo: true })
    expect(await call('ECHO.ping')).toBe('pong')
    const value = { a: [1, null, 'ü', true], b: new Uint8Array([1]), c: { d: {} } }
    expect(await call('ECHO.echo', value)).toEqual(value)
    expect(await call('ECHO.echo', null)).toBe(null)
    await expect(call('ECHO.echo', 'x'.repeat(1_000_001))).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
    await expect(
      call(
        'ECHO.echo',
        Array.from({ length: 200_000 }, () => 1),
      ),
    ).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
    let deep: unknown = 1
    for (let i = 0; i < 10_000; i++) deep = [deep]
    await expect(call('ECHO.echo', deep)).resolves.toBe(deep)
  })
})

describe('FETCH', () => {
  let origin: string
  const server = createServer(async (request, response) => {
    const body = (await request.toArray()).join('')
    if (request.url === '/latin1')
      return void response.setHeader('content-type', 'text/plain; charset=iso-8859-1').end(Buffer.from([0xe9]))
    if (request.url === '/large') return void response.end('a'.repeat(1_500_000))
    if (request.url === '/away') return void response.writeHead(302, { location: 'http://10.0.0.1/' }).end()
    response.writeHead(request.url === '/missing' ? 404 : 200, { 'x-a': '1' })
    response.end(JSON.stringify({ method: request.method, header: request.headers['x-b'], body }))
  })
  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterAll(() => new Promise((resolve) => server.close(resolve)))

  const granted = (methods?: string[], onSign?: (sign: EgressSign) => void) => {
    const egress = createEgress({ allowPrivate: [{ host: '127.0.0.1', port: Number(new URL(origin).port) }] })
    const rules = teamRules({ allow: [origin], ...(methods && { methods }) })
    return caller({ fetch: egress.outbound({ rules, ...(onSign && { onSign }) }) })
  }

  it('counts names before it looks at them', async () => {
    const call = granted()
    const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`x${at}`, 'y']))
    const refused = { code: 'INVALID_ARGUMENT', message: expect.stringMatching(/More than \d+ names$/) }
    await expect(call('FETCH.fetch', origin, { headers: many })).rejects.toMatchObject(refused)
    await expect(call('FETCH.fetch', origin, { headers: Object.entries(many) })).rejects.toMatchObject(refused)
    const unknown = (await call('FETCH.fetch', origin, many).catch((error: unknown) => error)) as Error
    expect(unknown.message.length).toBeLessThan(500)
  })

  it('fetches with method, headers and body', async () => {
    const call = granted(['GET', 'POST'])
    const response = (await call('FETCH.fetch', `${origin}/x`, {
      method: 'POST',
      headers: { 'X-B': 'yes' },
      body: 'hé',
    })) as { body: string; headers: [string, string][] }
    expect(response).toMatchObject({ url: `${origin}/x`, status: 200, ok: true, redirected: false, truncated: false })
    expect(JSON.parse(response.body)).toEqual({ method: 'POST', header: 'yes', body: 'hé' })
    expect(response.headers).toContainEqual(['x-a', '1'])
    const pairs = { headers: [['x-b', 'pair']], body: new Uint8Array([104, 105]), method: 'POST' }
    expect(await call('FETCH.fetch', origin, pairs)).toMatchObject({
      body: '{"method":"POST","header":"pair","body":"hi"}',
    })
    expect(await call('FETCH.fetch', `${origin}/missing`)).toMatchObject({ status: 404, ok: false })
  })

  it('gives the body as text by its charset, as bytes or base64, and cuts it', async () => {
    const call = granted()
    expect(await call('FETCH.fetch', `${origin}/latin1`)).toMatchObject({ body: 'é' })
    expect(await call('FETCH.fetch', `${origin}/latin1`, { encoding: 'bytes' })).toMatchObject({
      body: new Uint8Array([0xe9]),
    })
    expect(await call('FETCH.fetch', `${origin}/latin1`, { encoding: 'base64' })).toMatchObject({ body: '6Q==' })
    const large = (await call('FETCH.fetch', `${origin}/large`)) as { body: string; truncated: boolean }
    expect([large.body.length, large.truncated]).toEqual([1_000_000, true])
    const whole = (await call('FETCH.fetch', `${origin}/large`, { maxBytes: 2_000_000 })) as {
      body: string
      truncated: boolean
    }
    expect([whole.body.length, whole.truncated]).toEqual([1_500_000, false])
  })

  it('tells its configuration', async () => {
    expect(await granted()('FETCH.config')).toEqual({
      allow: [`${origin}/`],
      methods: ['GET', 'HEAD', 'OPTIONS'],
      maxBytes: 1_000_000,
      maxBytesLimit: 10_000_000,
      maxRedirects: 5,
      timeoutMs: 30_000,
    })
  })

  it('refuses with the three kinds and logs each', async () => {
    const signs: EgressSign[] = []
    const call = granted(undefined, (sign) => signs.push(sign))
    await expect(call('FETCH.fetch', 'https://example.com/')).rejects.toMatchObject({ code: 'URL_NOT_ALLOWED' })
    await expect(call('FETCH.fetch', `${origin}/away`)).rejects.toMatchObject({ code: 'URL_NOT_ALLOWED' })
    await expect(call('FETCH.fetch', origin, { method: 'DELETE' })).rejects.toMatchObject({
      code: 'METHOD_NOT_ALLOWED',
    })
    const nowhere = caller({
      fetch: createEgress({ resolveHost: async () => [] }).outbound({
        rules: teamRules({ allow: ['http://nowhere.test/'] }),
      }),
    })
    await expect(nowhere('FETCH.fetch', 'http://nowhere.test/')).rejects.toMatchObject({ code: 'FETCH_FAILED' })
    expect(await nowhere('FETCH.log')).toMatchObject([{ error: 'FETCH_FAILED', status: null }])
    await call('FETCH.fetch', origin)
    expect(await call('FETCH.log')).toMatchObject([
      { url: 'https://example.com/', error: 'URL_NOT_ALLOWED' },
      { url: `${origin}/away`, status: 302, error: null },
      { url: 'http://10.0.0.1/', status: null, error: 'URL_NOT_ALLOWED' },
      { method: 'DELETE', error: 'METHOD_NOT_ALLOWED' },
      { method: 'GET', status: 200, error: null, durationMs: expect.any(Number), at: expect.any(String) },
    ])
    expect(await call('FETCH.clearLog')).toBe(null)
    expect(await call('FETCH.log')).toEqual([])
    for (let i = 0; i < 25; i++) await call('FETCH.fetch', 'http://169.254.169.254/').catch(() => {})
    expect(signs).toHaveLength(1)
  })

  it('sends at most 10 MB', async () => {
    const body = new Uint8Array(10_000_001)
    await expect(granted()('FETCH.fetch', origin, { body })).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
  })

  it.each([
    [[]],
    [[5]],
    [['http://x/', { method: 5 }]],
    [['http://x/', { headers: { a: 1 } }]],
    [['http://x/', { headers: [['a']] }]],
    [['http://x/', { body: {} }]],
    [['http://x/', { maxBytes: -1 }]],
    [['http://x/', { maxBytes: Number.NaN }]],
    [['http://x/', { signal: {} }]],
    [['http://x/', { redirect: 'always' }]],
  ])('refuses the arguments %j', async (args) => {
    await expect(granted()('FETCH.fetch', ...args)).rejects.toMatchObject({ code: 'INVALID_ARGUMENT' })
  })
})
