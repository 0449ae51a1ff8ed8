import { setTimeout as delay } from 'node:timers/promises'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import type { Env } from '../requests/request-context.ts'
import { streamEvents } from './stream-events.ts'

test('streamEvents() says the first word when nothing is missed any more, and not before', async () => {
  const watching = Promise.withResolvers<void>()
  const app = new Hono<Env>().get('/', (context) =>
    streamEvents(context, async (send, _signal, begin) => {
      await watching.promise
      begin()
      send('change', { path: 'a' })
    }),
  )
  const { body } = await app.request('/', {}, { outgoing: {} })
  const words = body!.pipeThrough(new TextDecoderStream()).getReader()
  const first = words.read()
  expect(await Promise.race([first, delay(50, 'nothing')])).toBe('nothing')
  watching.resolve()
  expect((await first).value).toBe(': here\n\n')
  expect((await words.read()).value).toBe('event: change\ndata: {"path":"a"}\n\n')
})
