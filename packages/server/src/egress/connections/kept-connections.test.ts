import type { Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createEgress } from '../create-egress.ts'
import type { GuardedFetch } from '../guarded-fetch.ts'
import { operatorRules, teamRules } from '../rules.ts'
import { createTestInternet, type TestInternet } from '../test-internet.ts'

const first = '93.184.216.34'
const second = '93.184.216.35'
let names: Record<string, string[]>
let internet: TestInternet
beforeEach(async () => {
  names = { 'api.test': [first] }
  internet = createTestInternet(names)
})
afterEach(() => internet.close())

const rules = teamRules({ allow: ['http://api.test/v1/'], methods: ['GET', 'POST'] })
const say = async (fetch: GuardedFetch, path = '/v1/x'): Promise<string> => {
  const response = await fetch(`http://api.test${path}`, { method: 'POST', body: 'hello' })
  return response.text()
}
const serveWords = (address: string, word: string) => internet.serve(address, (_, response) => response.end(word))
/** Answers over bare TCP: `answer` says what is written for the nth request of a connection. */
const serveRaw = (address: string, answer: (socket: Socket, request: number) => void) =>
  internet.serveTcp(address, (socket) => {
    let requests = 0
    socket.on('data', (bytes) => {
      if (bytes.includes('POST ')) answer(socket, ++requests)
    })
  })
const head = (length: number) => `HTTP/1.1 200 OK\r\ncontent-length: ${length}\r\n\r\n`

describe('connections of a guarded fetch', () => {
  it('serve one request after the other', async () => {
    await serveWords(first, 'one')
    const fetch = createEgress(internet).fetchFor(rules)
    for (let at = 0; at < 3; at++) expect(await say(fetch)).toBe('one')
    expect(internet.dialled).toEqual([`${first}:80`])
  })

  it('are as many as there are requests at once, and each has its own answer', async () => {
    await internet.serve(first, (request, response) => response.end(request.url))
    const fetch = createEgress(internet).fetchFor(rules)
    const paths = Array.from({ length: 10 }, (_, at) => `/v1/${at}`)
    for (let round = 0; round < 2; round++) {
      expect(await Promise.all(paths.map((path) => say(fetch, path)))).toEqual(paths)
    }
    expect(internet.dialled).toHaveLength(10)
  })

  it('are not shared between sets of rules', async () => {
    await serveWords(first, 'one')
    const egress = createEgress(internet)
    await say(egress.fetchFor(rules))
    await say(egress.fetchFor(rules))
    expect(internet.dialled).toHaveLength(2)
  })

  it('lead nowhere that the rules do not allow', async () => {
    await serveWords(first, 'one')
    const fetch = createEgress(internet).fetchFor(rules)
    await say(fetch)
    await expect(say(fetch, '/v2/x')).rejects.toMatchObject({ cause: { code: 'URL_NOT_ALLOWED' } })
    await expect(fetch('http://api.test/v1/x', { method: 'DELETE' })).rejects.toMatchObject({
      cause: { code: 'METHOD_NOT_ALLOWED' },
    })
  })

  it('are left when the name leads elsewhere now', async () => {
    await serveWords(first, 'one')
    await serveWords(second, 'two')
    const fetch = createEgress(internet).fetchFor(rules)
    expect(await say(fetch)).toBe('one')
    names['api.test'] = [second]
    expect(await say(fetch)).toBe('two')
    names['api.test'] = ['127.0.0.1']
    await expect(say(fetch)).rejects.toMatchObject({ cause: { reason: 'private-address' } })
    names['api.test'] = []
    await expect(say(fetch)).rejects.toMatchObject({ cause: { reason: 'no-address' } })
    expect(internet.dialled).toEqual([`${first}:80`, `${second}:80`])
  })

  it('are closed when an answer is not read to its end', async () => {
    const { promise: closed, resolve } = Promise.withResolvers<void>()
    await internet.serve(first, (request, response) => {
      request.socket.once('close', () => resolve())
      response.write('beginning')
    })
    const fetch = createEgress(internet).fetchFor(rules)
    const response = await fetch('http://api.test/v1/x', { method: 'POST', body: 'hello' })
    await response.body?.cancel()
    await closed
  })

  it('are made anew when the other side closed one at the moment it was needed', async () => {
    const got: number[] = []
    await serveRaw(first, (socket, request) => {
      got.push(request)
      if (request === 1) socket.write(`${head(3)}one`)
      else socket.destroy()
    })
    const fetch = createEgress(internet).fetchFor(rules)
    expect(await say(fetch)).toBe('one')
    expect(await say(fetch)).toBe('one')
    expect(got).toEqual([1, 2, 1])
  })

  it('repeat nothing that was answered in part', async () => {
    const got: number[] = []
    await serveRaw(first, (socket, request) => {
      got.push(request)
      if (request === 1) socket.write(`${head(3)}one`)
      else socket.end('HTTP/1.1 200')
    })
    const fetch = createEgress(internet).fetchFor(rules)
    expect(await say(fetch)).toBe('one')
    await expect(say(fetch)).rejects.toThrow('fetch failed')
    expect(got).toEqual([1, 2])
  })

  it('do not hand an answer that nobody asked for to the next request', async () => {
    await serveRaw(first, (socket) => socket.write(`${head(3)}one${head(6)}forged`))
    const fetch = createEgress(internet).fetchFor(rules)
    for (let at = 0; at < 3; at++) expect(await say(fetch)).toBe('one')
    expect(internet.dialled).toHaveLength(3)
  })

  it('of the operator are kept as well', async () => {
    await serveWords(first, 'one')
    const fetch = createEgress(internet).fetchFor(operatorRules({ allow: ['http://api.test/v1'] }))
    await say(fetch)
    await say(fetch)
    expect(internet.dialled).toHaveLength(1)
  })
})
