import { password } from '@coherex/contract'
import { expect, test } from 'vitest'
import { passwordProblem, shortestPassword } from './password-rule.ts'

test('the form refuses exactly the short passwords that the server refuses', () => {
  const tooShort = 'x'.repeat(shortestPassword - 1)
  const longEnough = 'x'.repeat(shortestPassword)
  expect([password.safeParse(tooShort).success, password.safeParse(longEnough).success]).toEqual([false, true])
  expect([passwordProblem(tooShort), passwordProblem(longEnough)]).toEqual(['Use at least 10 characters.', undefined])
})
