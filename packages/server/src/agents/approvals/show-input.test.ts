import { expect, test } from 'vitest'
import { hashCall } from './hash-call.ts'
import { showInput } from './show-input.ts'

test('[G10] what is hidden in arguments is shown to the approver', () => {
  const tags = [...'rm'].map((letter) => String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0))).join('')
  const shown = showInput({ command: `ls\u200B \u202Etxt.exe${tags}\u0007\u00A0x\u{E0101}\u001b[8m`, 'na\u2066me': 1 })
  expect(shown).toBe(
    'command: ls<U+200B> <U+202E>txt.exe<U+E0072><U+E006D><U+0007><U+00A0>x<U+E0101><U+001B>[8m\nna<U+2066>me: 1',
  )
})

test('lines of code stay lines, and cannot pass for another field', () => {
  expect(showInput({ code: 'a = 1\nlanguage: bash\r\n' })).toBe('code: a = 1\n  language: bash<U+000D>\n  ')
})

test('a hash does not depend on the order of keys, and on everything else', () => {
  const call = { tool: 'bash', input: { a: 1, b: [{ c: 2, d: 3 }] }, turnId: 't', callId: 'c', requesterId: 'p' }
  const hash = hashCall(call)
  expect(hashCall({ ...call, input: { b: [{ d: 3, c: 2 }], a: 1 } })).toBe(hash)
  const others = [
    { tool: 'run_code' },
    { input: { a: 1, b: [{ c: 2, d: 4 }] } },
    { input: { a: '1', b: [{ c: 2, d: 3 }] } },
    { turnId: 'u' },
    { callId: 'd' },
    { requesterId: 'q' },
  ]
  expect(new Set(others.map((other) => hashCall({ ...call, ...other }))).size).toBe(others.length)
  expect(others.map((other) => hashCall({ ...call, ...other }))).not.toContain(hash)
})
