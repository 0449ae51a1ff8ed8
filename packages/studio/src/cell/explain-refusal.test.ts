import { CoherexError } from '@coherex/contract'
import { expect, test } from 'vitest'
import { explainRefusal } from './explain-refusal.ts'

test('a refusal says when to try again, where that is known', () => {
  const message = "The team's quota is used up: 60 seconds of running code a day"
  const refused = new CoherexError('quota_exceeded', message, { retryAfterSeconds: 61_320 })
  expect(explainRefusal(refused)).toBe(`${message}. Try again in 17 h 2 m.`)
  expect(explainRefusal(new CoherexError('quota_exceeded', message))).toBe(message)
})
