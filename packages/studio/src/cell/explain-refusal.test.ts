import { CoherexError } from '@coherex/contract'
import { expect, test } from 'vitest'
import { explainRefusal } from './explain-refusal.ts'

test('a refusal names the command that installs a missing language, once', () => {
  const fix = { kind: 'install-language', value: 'apt-get install -y ruby', label: 'Install Ruby on the server' }
  const refused = (message: string) => new CoherexError('unavailable', message, { details: { fixes: [fix] } })
  expect(explainRefusal(refused('Cannot run ruby here'))).toBe(
    'Cannot run ruby here. Install Ruby on the server: apt-get install -y ruby',
  )
  const whole = 'Cannot run ruby here: install it with apt-get install -y ruby'
  expect(explainRefusal(refused(whole))).toBe(whole)
})

test('a refusal says when to try again, where that is known', () => {
  const message = "The team's quota is used up: 60 seconds of running code a day"
  const refused = new CoherexError('quota_exceeded', message, { retryAfterSeconds: 61_320 })
  expect(explainRefusal(refused)).toBe(`${message}. Try again in 17 h 2 m.`)
  expect(explainRefusal(new CoherexError('quota_exceeded', message))).toBe(message)
})
