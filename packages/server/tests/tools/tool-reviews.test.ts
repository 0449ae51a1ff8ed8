import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { routes } from '@coherex/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { verifySignature } from '../../src/triggers/verify-signature.ts'
import { startChatServer, type ChatServer } from '../harness/outside/chat-server.ts'
import { startTestServer, type TestPerson, type TestServer } from '../harness/test-server.ts'

const secret = `whsec_${Buffer.from('a key that nobody guesses').toString('base64')}`
const name = 'halves'
const params = { name }

let chat: ChatServer
let service: Server
let answer: { status: number; body: string; headers?: Record<string, string> }
let heard: { header(name: string): string[]; body: Buffer; path: string } | undefined
let url: string
let server: TestServer
let owner: TestPerson
beforeAll(async () => {
  chat = await startChatServer()
  service = createServer((request, response) => {
    void request.toArray().then((chunks) => {
      const header = (word: string) => [request.headers[word] ?? []].flat()
      heard = { header, body: Buffer.concat(chunks as Buffer[]), path: request.url ?? '' }
      response.writeHead(answer.status, answer.headers).end(answer.body)
    })
  })
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  const { port } = service.address() as AddressInfo
  url = `http://127.0.0.1:${port}/review?for=us`
  server = await startTestServer({
    COHEREX_COMPATIBLE_BASE_URL: chat.url,
    COHEREX_ALLOW_PRIVATE: `127.0.0.1:${port}`,
  })
  owner = await server.owner()
  const yaml = `kind: tool\nname: ${name}\ndescription: Halves\nlanguage: javascript\ninput: { type: number }\noutput: { type: number }\n`
  const files = { 'tool.yaml': yaml, 'main.js': 'export default (env, n) => n / 2\n' }
  await owner.call(routes.tools.save, { body: { files } })
})
afterAll(async () => {
  await server.stop()
  await chat.stop()
  service.close()
})
beforeEach(() => {
  heard = undefined
})

const ask = (by: 'model' | 'service') => owner.call(routes.tools.askReview, { params, body: { version: 1, by } })
const setService = (given: { url: string; secret: string } | null) =>
  owner.call(routes.tools.setRules, { body: { toolReview: 'none', service: given } })

test('a model reviews a version: its findings are comments, and its tokens are counted', async () => {
  const findings = [{ file: 'main.js', line: 1, note: 'Half of NaN is NaN' }, { note: 'It has no tests' }]
  chat.answer([{ text: `\`\`\`json\n${JSON.stringify({ findings })}\n\`\`\``, tokens: { input: 120, output: 30 } }])
  const said = await ask('model')
  expect(said.items).toMatchObject([
    { decision: 'comment', file: 'main.js', line: 1, note: 'Half of NaN is NaN', by: { kind: 'model' } },
    { decision: 'comment', file: null, line: null, note: 'It has no tests' },
  ])
  expect(said.use).toEqual({ inputTokens: 120, cachedInputTokens: 0, outputTokens: 30, costUsd: null })
  expect(JSON.stringify(chat.requests.at(-1)?.messages)).toContain('export default (env, n) => n / 2')
  const { items } = await owner.call(routes.tools.reviews, { params, query: { version: 1 } })
  expect(items).toHaveLength(2)
  const { items: audit } = await owner.call(routes.audit.list, { query: { action: 'tool.ask-review' } as never })
  expect(audit[0]).toMatchObject({ action: 'tool.ask-review', details: { findings: 2, use: { inputTokens: 120 } } })
})

test('a model that does not keep to the form is heard, one that is away is not waited for', async () => {
  chat.answer([{ text: 'Looks good to me. Approve! {"decision":"approve"}' }])
  expect((await ask('model')).items).toMatchObject([
    { decision: 'comment', note: expect.stringContaining('Looks good') },
  ])
  chat.answer([{ status: 400, text: 'no' }])
  await expect(ask('model')).rejects.toMatchObject({ code: 'unavailable' })
})

test('the team’s service gets a signed request, and its findings are comments', async () => {
  await expect(ask('service')).rejects.toThrow('names no review service')
  await setService({ url, secret: 'REVIEW_KEY' })
  await expect(ask('service')).rejects.toThrow('has no secret REVIEW_KEY')
  await owner.call(routes.secrets.put, { params: { name: 'REVIEW_KEY' }, body: { value: secret } })
  answer = { status: 200, body: JSON.stringify({ findings: [{ file: 'main.js', note: 'Name the unit' }] }) }
  const { items, use } = await ask('service')
  expect([items, use]).toMatchObject([
    [{ note: 'Name the unit', by: { kind: 'service', name: new URL(url).host } }],
    null,
  ])
  if (!heard) throw new Error('the service was not asked')
  expect(heard.path).toBe('/review?for=us')
  expect(verifySignature('standard', heard, { secrets: [secret], now: Date.now() })).toMatchObject({ kind: 'signed' })
  expect(JSON.parse(heard.body.toString())).toMatchObject({
    type: 'tool.review',
    data: { version: 1, definition: { name }, files: { 'main.js': 'export default (env, n) => n / 2\n' } },
  })
})

test.each<[string, typeof answer, string]>([
  ['an error', { status: 500, body: '' }, 'it answers 500'],
  ['something else', { status: 200, body: '<html>' }, 'something else'],
  ['a decision', { status: 200, body: '{"decision":"approve"}' }, 'something else'],
  ['too much', { status: 200, body: ' '.repeat(400_000) }, 'longer than 256 KB'],
  ['another place', { status: 302, body: '', headers: { location: 'http://127.0.0.1:1/' } }, 'Cannot review'],
])('a service that answers %s is refused', async (_, given, why) => {
  answer = given
  await expect(ask('service')).rejects.toThrow(why)
})

test('a service on this machine that the operator did not open is not asked', async () => {
  await setService({ url: `${server.url}/api/v1/me`, secret: 'REVIEW_KEY' })
  await expect(ask('service')).rejects.toMatchObject({ code: 'unavailable' })
})
