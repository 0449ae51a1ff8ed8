import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import type { Env } from '../requests/request-context.ts'
import { chooseEncoding, compressAnswers } from './compress-answers.ts'
import { createAnswerGuard } from './guard-answers.ts'

test.each([
  [undefined, undefined],
  ['', undefined],
  ['identity', undefined],
  ['gzip', 'gzip'],
  ['gzip, deflate, br, zstd', 'br'],
  ['GZIP', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0.0', undefined],
  ['gzip;q=0.5, br;q=0.1', 'br'],
  ['*', 'br'],
  ['*, br;q=0', 'gzip'],
  ['brr, xgzip', undefined],
])('a client that takes %s gets %s', (accepted, encoding) => {
  expect(chooseEncoding(accepted)).toBe(encoding)
})

test('what waits for the compressor of a client that does not read counts as its answer', async () => {
  const text = randomBytes(8 * 1024 * 1024).toString('base64')
  const app = new Hono<Env>()
    .use(compressAnswers)
    .get('/', (context) => context.text(text, 200, { 'content-length': String(text.length) }))
  const told = Promise.withResolvers<object>()
  const guard = createAnswerGuard({ log: { warn: told.resolve }, lookMs: 20, mostBytes: 8 * 1024 * 1024 })
  const listener = getRequestListener(app.fetch)
  const server = createServer((request, response) => {
    if (guard.admits(request, response)) void listener(request, response)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').pause()
  client.on('error', () => {})
  client.write('GET / HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip\r\n\r\n')
  expect(await told.promise).toEqual({ broken: 1 })
  guard.close()
  client.destroy()
  await new Promise((resolve) => server.close(resolve))
})
