import { expect, test } from 'vitest'
import { email, lineOfText, password } from './people.ts'

test.each(['Ann', 'Zoë', '李小龙', 'O’Neil–Smith', 'عمر', '👩‍🚀 Ada', '<b>bold</b>'])('%s is a name', (name) => {
  expect(lineOfText(80).parse(` ${name} `)).toBe(name)
})

test.each(['', '   ', 'two\nlines', 'bell\u0007', 'nul\0', 'esc\u001b[31m', 'turned\u202eround', 'a'.repeat(81)])(
  '%j is none',
  (name) => {
    expect(lineOfText(80).safeParse(name).success).toBe(false)
  },
)

test('addresses are compared without their case, and a short password is none', () => {
  expect(email.parse(' Ann@Example.COM ')).toBe('ann@example.com')
  expect(email.safeParse('ann@example.com\r\nBcc: x@example.com').success).toBe(false)
  expect([password.safeParse('123456789').success, password.safeParse('1234567890').success]).toEqual([false, true])
})
