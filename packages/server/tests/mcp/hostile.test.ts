import { routes } from '@coherex/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connectClient } from '../harness/outside/mcp-client.ts'
import { startTestServer, type TestPerson, type TestServer } from '../harness/test-server.ts'

let server: TestServer
let owner: TestPerson
let key: string
beforeAll(async () => {
  server = await startTestServer({ COHEREX_REQUESTS_PER_SECOND: '20' })
  owner = await server.owner()
  key = (await owner.call(routes.keys.create, { body: { name: 'mcp', scopes: ['run', 'write'] } })).key
})
afterAll(() => server.stop())

const send = (body: string | Buffer<ArrayBuffer>, headers: Record<string, string> = {}) =>
  fetch(`${server.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body,
  })
const codeOf = async (answer: Response) => {
  const text = await answer.text()
  const line = /^data: (\{.*)$/m.exec(text)?.[1] ?? text
  return (JSON.parse(line) as { error?: { code: number } }).error?.code
}
const ping = (id: unknown) => JSON.stringify({ jsonrpc: '2.0', id, method: 'ping' })

/** The door still serves others, at once. */
async function expectServes(): Promise<void> {
  const began = performance.now()
  const client = await connectClient(server.url, { key })
  expect((await client.callTool({ name: 'list_workspaces', arguments: {} })).isError).toBeFalsy()
  await client.close()
  expect(performance.now() - began).toBeLessThan(10_000)
}

test.each([
  ['no JSON', '{"jsonrpc"', -32700],
  ['half a character', Buffer.from('7b2261223a22c3227d', 'hex'), -32700],
  ['nothing', '', -32700],
  ['a text', '"ping"', -32600],
  ['null', 'null', -32600],
  ['a batch of one', `[${ping(1)}]`, -32600],
  ['an empty batch', '[]', -32600],
  ['a batch of 10,000', `[${Array.from({ length: 10_000 }, (_, id) => ping(id)).join(',')}]`, -32600],
  ['brackets inside each other', `{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`, -32700],
])('the door refuses %s', async (_what, body, code) => {
  const answer = await send(body)
  expect({ status: answer.status, code: await codeOf(answer) }).toEqual({ status: 400, code })
})

test.each([
  ['without a version', { id: 1, method: 'ping' }],
  ['with an id that is an object', { jsonrpc: '2.0', id: {}, method: 'ping' }],
  ['with a method that is a number', { jsonrpc: '2.0', id: 1, method: 5 }],
  ['with an unknown method', { jsonrpc: '2.0', id: 1, method: 'no/such' }],
  ['with parameters of a wrong form', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 5 } }],
  ['with a cursor of its own', { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { cursor: '99.x' } }],
  ['that names a prototype', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: '__proto__' } }],
])('a message %s is answered with an error', async (_what, body) => {
  const answer = await send(JSON.stringify(body))
  expect(answer.status).toBeLessThan(500)
  expect(await codeOf(answer)).toBeLessThan(0)
})

test('sizes, kinds and senders that are not let in are refused, and others go on', async () => {
  const huge = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'x'.repeat(5_000_000) } })
  expect((await send(huge)).status).toBe(413)
  expect((await send(ping(1), { 'content-type': 'text/plain' })).status).toBe(415)
  expect((await send(ping(1), { origin: 'https://evil.example' })).status).toBe(403)
  expect((await send(ping(1), { authorization: 'Bearer nothing-that-anyone-has' })).status).toBe(401)
  for (const method of ['GET', 'DELETE'])
    expect((await fetch(`${server.url}/mcp`, { method, headers: { authorization: `Bearer ${key}` } })).status).toBe(400)
  await expectServes()
})

test('calls with the same id at the same time are each answered with their own result', async () => {
  const answers = await Promise.all(
    Array.from({ length: 10 }, async (_, at) => {
      const params = { name: 'run_code', arguments: { language: 'javascript', code: `${at} * 1000 + 7` } }
      const answer = await send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }))
      return answer.text()
    }),
  )
  for (const [at, text] of answers.entries()) expect(text).toContain(`Result: ${at * 1000 + 7}"`)
})

test('results without measure are cut, and say so', async () => {
  const client = await connectClient(server.url, { key })
  const printed = await client.callTool({
    name: 'run_code',
    arguments: { language: 'javascript', code: 'console.log("x".repeat(900_000))' },
  })
  const text = (printed.content as { text: string }[])[0]?.text ?? ''
  expect(text.length).toBeLessThan(201_000)
  expect(text).toContain('characters were left out')

  const yaml = `kind: tool\nname: large\ndescription: Gives much\nlanguage: javascript\nlicence: MIT\ninput: { type: number }\noutput: { type: string }\ntests: [{ name: none, input: 0, output: '' }]\n`
  const code = 'export default (env, size) => "x".repeat(size)\n'
  await owner.call(routes.tools.save, { body: { files: { 'tool.yaml': yaml, 'main.js': code } } })
  await owner.call(routes.tools.publishVersion, { params: { name: 'large' }, body: {} })
  const large = await client.callTool({ name: 'large', arguments: { input: 2_000_000 } })
  expect(large).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('larger than 1 MB') }] })
  await client.close()
})

test('a flood of notifications is stopped by the rate limit of its key alone', async () => {
  const { key: other } = await owner.call(routes.keys.create, { body: { name: 'flood', scopes: ['read'] } })
  const note = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' })
  const statuses: number[] = []
  for (let round = 0; round < 20; round++) {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => send(note, { authorization: `Bearer ${other}` })),
    )
    statuses.push(...answers.map(({ status }) => status))
  }
  expect(new Set(statuses)).toEqual(new Set([202, 429]))
  await expectServes()
})
