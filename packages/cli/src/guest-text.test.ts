import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createGuestText, showControls } from './guest-text.ts'

test('showControls() keeps lines, tabs and colours', () => {
  const text = 'plain\tä 漢 👩‍🔬\n\u001b[1;38;5;196mred\u001b[0m\u001b[m\n'
  expect(showControls(text)).toBe(text)
  expect(showControls('a\r\nb')).toBe('a\nb')
})

test.each([
  ['\u001b[2J\u001b[H', '␛[2J␛[H'],
  ['\u001b]0;title\u0007', '␛]0;title␇'],
  ['\u001b]52;c;ZXZpbA==\u001b\\', '␛]52;c;ZXZpbA==␛\\'],
  ['\u001bPq\u001b\\', '␛Pq␛\\'],
  ['\u009b2J', '<U+009B>2J'],
  ['safe\rEVIL', 'safe␍EVIL'],
  ['a\b\b', 'a␈␈'],
  ['\u001b[31', '␛[31'],
  ['\u001b[6n', '␛[6n'],
  ['user\u202etxt.exe', 'user<U+202E>txt.exe'],
  ['\u0000\u007f', '␀␡'],
])('showControls() shows %j', (text, shown) => {
  expect(showControls(text)).toBe(shown)
})

test('a colour cut in two is still a colour, and colours end with the output', () => {
  const guest = createGuestText()
  expect(guest.write('a\u001b[3')).toBe('a')
  expect(guest.write('1mred')).toBe('\u001b[31mred')
  expect(guest.end()).toBe('\u001b[0m')
  expect(guest.end()).toBe('')
})

test('an escape sequence cut anywhere never reaches the terminal', () => {
  const pieces = fc.constantFrom('\u001b', '[', ']', '2', 'J', 'm', ';', '31', '\r', '\n', '\u009b', '0', '\u0007', 'x')
  fc.assert(
    fc.property(fc.array(fc.array(pieces).map((parts) => parts.join(''))), (chunks) => {
      const guest = createGuestText()
      const shown = chunks.map((chunk) => guest.write(chunk)).join('') + guest.end()
      // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
      const left = shown.replace(/\u001b\[[\d;:]*m/g, '')
      // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
      expect(left).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/)
    }),
  )
})
