import { expect, test } from 'vitest'
import { createClient, routes, type FetchLike } from '../index.ts'

type Sent = { url: string } & Parameters<FetchLike>[1]

function setUp(answer: { status: number; body: string; headers?: Record<string, string> }, key?: string) {
  const sent: Sent[] = []
  const fetch: FetchLike = async (url, init) => {
    sent.push({ url, ...init })
    const { status, body, headers = {} } = answer
    return { ok: status < 400, status, headers: { get: (name) => headers[name] ?? null }, text: async () => body }
  }
  return { sent, call: createClient({ baseUrl: 'http://server', fetch, ...(key ? { key } : {}) }) }
}

test('parameters cannot leave their place in the path', async () => {
  const { sent, call } = setUp({ status: 204, body: '' })
  await call(routes.secrets.remove, { params: { name: '../../team?name=x#' } })
  expect(sent[0]?.url).toBe('http://server/api/v1/secrets/..%2F..%2Fteam%3Fname%3Dx%23')
})

test('a key, a body and an idempotency key are sent where they belong', async () => {
  const { sent, call } = setUp({ status: 201, body: '{}' }, 'chx_key')
  await call(routes.teams.create, { body: { name: 'T' } }, { idempotencyKey: 'once' })
  expect(sent[0]).toEqual({
    url: 'http://server/api/v1/teams',
    method: 'POST',
    headers: {
      accept: 'application/json',
      authorization: 'Bearer chx_key',
      'content-type': 'application/json',
      'idempotency-key': 'once',
    },
    body: '{"name":"T"}',
  })
})

test('a refusal is thrown with its code, details and time to wait', async () => {
  const body = JSON.stringify({ error: { code: 'quota_exceeded', message: 'Slow down', details: { limit: 1 } } })
  const { call } = setUp({ status: 429, body, headers: { 'retry-after': '7' } })
  await expect(call(routes.signIn.me, {})).rejects.toMatchObject({
    code: 'quota_exceeded',
    message: 'Slow down',
    details: { limit: 1 },
    retryAfterSeconds: 7,
  })
})

test.each(['<html>Bad gateway</html>', '{}', '{"error":{"code":"made_up","message":"x"}}', ''])(
  'an answer that is not ours says only its status: %s',
  async (body) => {
    const { call } = setUp({ status: 502, body })
    await expect(call(routes.signIn.me, {})).rejects.toMatchObject({
      code: 'unavailable',
      message: 'The server answered with status 502',
    })
  },
)

test('an answer that breaks off is thrown like a server that cannot be reached', async () => {
  const text = () => Promise.reject(new TypeError('terminated'))
  const fetch: FetchLike = async () => ({ ok: true, status: 200, headers: { get: () => null }, text })
  const call = createClient({ baseUrl: 'http://server', fetch })
  await expect(call(routes.signIn.me, {})).rejects.toMatchObject({ code: 'unavailable' })
})
