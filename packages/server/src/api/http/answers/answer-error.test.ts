import { Hono } from 'hono'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import type { Env } from '../requests/request-context.ts'
import { createErrorAnswer } from './answer-error.ts'

test('createErrorAnswer() does not send the length of an answer that failed after it was made', async () => {
  const app = new Hono<Env>()
  app.get('/', (context) => {
    context.header('content-length', '4000')
    throw new Error('the answer could not be kept')
  })
  app.onError(createErrorAnswer({ log: pino({ level: 'silent' }), publicUrl: 'http://127.0.0.1' }))
  const response = await app.request('/')
  expect({ status: response.status, length: response.headers.get('content-length') }).toEqual({
    status: 500,
    length: null,
  })
})
