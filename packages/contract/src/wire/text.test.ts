import { expect, test } from 'vitest'
import { storableJson } from './json-value.ts'
import { text } from './text.ts'

const whole = ['', 'ünï💚', 'two\nlines', '\ufffd']
const odd = ['\0', 'a\0b', '\ud800', 'a\udc00b', '💚'.slice(0, 1)]

test('text() refuses NUL and half a surrogate pair, and says so alone', () => {
  for (const value of whole) expect(text().parse(value)).toBe(value)
  for (const value of odd) {
    const { error } = text().min(1).regex(/^x$/).safeParse(value)
    expect(error?.issues.map((one) => one.message)).toEqual(['must not contain NUL or half a character'])
  }
})

test('storableJson names the place of a text or key that cannot be kept, at any depth', () => {
  for (const value of whole) expect(storableJson.parse({ [value]: [value] })).toEqual({ [value]: [value] })
  for (const value of odd) {
    const paths = [{ a: [1, { b: value }] }, { a: { [value]: 1 } }, [value], value].map(
      (json) => storableJson.safeParse(json).error?.issues[0]?.path,
    )
    expect(paths).toEqual([['a', '1', 'b'], ['a', value], ['0'], []])
  }
})
