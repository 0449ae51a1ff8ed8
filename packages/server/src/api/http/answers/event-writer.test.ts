import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import { expect, test } from 'vitest'
import type { Env } from '../requests/request-context.ts'
import { createEventWriter } from './event-writer.ts'

test('a client that leaves more than four megabytes of events waiting is cut', async () => {
  const flushed = Promise.withResolvers<void>()
  let made = 0
  const app = new Hono<Env>().get('/', (context) =>
    streamSSE(context, async (stream) => {
      const events = createEventWriter(stream, context.env.outgoing)
      await events.flush()
      // each is small, so that no more than a few are ever with the connection
      for (; made < 200 && !context.env.outgoing.destroyed; made++)
        events.write({ event: 'line', data: 'x'.repeat(100_000) })
      await events.flush()
      flushed.resolve()
    }),
  )
  const listener = getRequestListener(app.fetch)
  const server = createServer((request, response: ServerResponse) => void listener(request, response))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').pause()
  client.on('error', () => {})
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
  // what was left is let go
  await flushed.promise
  expect(made).toBeLessThan(50)
  await once(client.resume(), 'close')
  await new Promise((resolve) => server.close(resolve))
})
