import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import { expect, test } from 'vitest'
import { createEventWriter } from './event-writer.ts'
import { createAnswerGuard } from './guard-answers.ts'
import type { Env } from './request-context.ts'

test('events that a client leaves waiting count as its answer, which is broken off when it holds too much', async () => {
  const flushed = Promise.withResolvers<void>()
  const app = new Hono<Env>().get('/', (context) =>
    streamSSE(context, async (stream) => {
      const events = createEventWriter(stream, context.env.outgoing)
      // each is small, so that no more than a few are ever with the connection
      for (let at = 0; at < 200; at++) events.write({ event: 'line', data: 'x'.repeat(100_000) })
      await events.flush()
      flushed.resolve()
    }),
  )
  const told = Promise.withResolvers<object>()
  const guard = createAnswerGuard({ log: { warn: told.resolve }, lookMs: 20, mostBytes: 8 * 1024 * 1024 })
  const listener = getRequestListener(app.fetch)
  const server = createServer((request, response: ServerResponse) => {
    if (guard.admits(request, response)) void listener(request, response)
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').pause()
  client.on('error', () => {})
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  expect(await told.promise).toEqual({ broken: 1 })
  // what was left is let go
  await flushed.promise
  guard.close()
  client.destroy()
  await new Promise((resolve) => server.close(resolve))
})
