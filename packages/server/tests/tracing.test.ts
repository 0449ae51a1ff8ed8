import { routes } from '@coherex/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startOtlpReceiver, type OtlpReceiver } from './harness/outside/otlp-receiver.ts'
import { startTestServer, type TestServer } from './harness/test-server.ts'

let receiver: OtlpReceiver
let server: TestServer
let secrets: string[]

const traceOf = (flags: string) => flags.repeat(15) + 'ab'
// as OTLP counts them
const serverKind = 2
const callerSpan = '00f067aa0ba902b7'
const unknownWorkspace = `ws_${'0'.repeat(26)}`

beforeAll(async () => {
  receiver = await startOtlpReceiver()
  server = await startTestServer({ OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url })
  const owner = await server.owner()
  const { key } = await owner.call(routes.keys.create, { body: { name: 'traced', scopes: ['admin'] } })
  await owner.call(routes.secrets.put, { params: { name: 'TRACED' }, body: { value: 'value-CANARY' } })
  const { link } = await owner.call(routes.teams.invite, { body: { email: 'canary@example.com', role: 'viewer' } })
  const token = link?.split('/').at(-1) ?? ''
  await server.browser().fetch(`/invite/${token}`, { headers: { accept: 'text/html' } })
  await server.browser().fetch(`/reset/${token}`)
  await server.withKey(key)(routes.audit.list, { query: { search: 'search-CANARY' } })
  await server.browser().fetch('/api/v1/me?token=query-CANARY')
  await server.browser().fetch('/api/v1/nothing/here')
  for (const flags of ['01', '00']) {
    const headers = { traceparent: `00-${traceOf(flags)}-${callerSpan}-${flags}`, tracestate: 'vendor=1' }
    await owner.fetch(`/api/v1/workspaces/${unknownWorkspace}`, { headers })
  }
  await server.browser().fetch('/healthz', { headers: { traceparent: 'no such form' } })
  const cookie = decodeURIComponent(owner.cookie().split('=')[1] ?? '')
  secrets = [key, token, cookie, owner.password, owner.email, 'canary@example.com', 'CANARY']
  // its exporter sends what is left when it stops
  await server.stop()
})
afterAll(() => receiver.stop())

test('a request is a span, and its queries are spans within it', () => {
  const spans = receiver.spans()
  const request = spans.find((one) => one.name === 'GET /api/v1/audit')
  expect(request?.attributes).toEqual(
    expect.arrayContaining([
      { key: 'http.response.status_code', value: { intValue: 200 } },
      { key: 'http.request.method', value: { stringValue: 'GET' } },
    ]),
  )
  const within = spans.filter((one) => one.traceId === request?.traceId && one.parentSpanId === request.spanId)
  expect(within.map((one) => one.name)).toContain('db select')
})

test('a span is named by its method and route, or by its method alone', () => {
  const named = receiver.spans().filter(({ kind }) => kind === serverKind)
  const names = new Set(named.map(({ name }) => name))
  expect(names).toContain('GET /api/v1/workspaces/{id}')
  expect(names).toContain('GET /healthz')
  const unmatched = named.filter(({ attributes }) => JSON.stringify(attributes).includes('/api/v1/nothing/here'))
  expect(unmatched.map(({ name }) => name)).toEqual(['GET'])
  expect([...names].filter((name) => name.includes('/invite/') || name.includes('ws_'))).toEqual([])
})

test('a request is within the span of its caller, who also says whether it is kept', () => {
  const within = (flags: string) => receiver.spans().filter(({ traceId }) => traceId === traceOf(flags))
  const request = within('01').find(({ kind }) => kind === serverKind)
  expect(request).toMatchObject({ name: 'GET /api/v1/workspaces/{id}', parentSpanId: callerSpan })
  const children = within('01').filter(({ parentSpanId }) => parentSpanId === request?.spanId)
  expect(children.map(({ name }) => name)).toContain('db select')
  expect(within('00')).toEqual([])
})

test('only requests begin a trace: what the server asks its database by itself makes no span', () => {
  const roots = receiver.spans().filter(({ parentSpanId }) => !parentSpanId)
  expect(roots.length).toBeGreaterThan(5)
  expect(roots.filter(({ kind }) => kind !== serverKind).map(({ name }) => name)).toEqual([])
})

test('spans hold no key, token, cookie, password, address or value', () => {
  const sent = receiver.everything()
  expect(secrets.map((one) => one.length > 5)).toEqual(secrets.map(() => true))
  expect(secrets.filter((one) => sent.includes(one))).toEqual([])
})
