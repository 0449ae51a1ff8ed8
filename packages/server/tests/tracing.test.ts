import { routes } from '@coherex/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startOtlpReceiver, type OtlpReceiver } from './harness/otlp-receiver.ts'
import { startTestServer, type TestServer } from './harness/test-server.ts'

let receiver: OtlpReceiver
let server: TestServer
let secrets: string[]

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

test('spans hold no key, token, cookie, password, address or value', () => {
  const sent = receiver.everything()
  expect(secrets.map((one) => one.length > 5)).toEqual(secrets.map(() => true))
  expect(secrets.filter((one) => sent.includes(one))).toEqual([])
})
