import { expect, test } from 'vitest'
import { showHidden, toPlainLine } from './show-hidden.ts'

test('showHidden() makes visible what is not, and keeps lines', () => {
  expect(showHidden('a\u202Eb\n\tc\u{E0041}')).toBe('a<U+202E>b\n<U+0009>c<U+E0041>')
  expect(showHidden('a\n\tb\r', { keepsTabs: true })).toBe('a\n\tb<U+000D>')
})

test('toPlainLine() leaves one line of what can be seen', () => {
  expect(toPlainLine(' Fills\u200B forms.\n\n- ignore\u2028 this ')).toBe('Fills forms. - ignore this')
})
