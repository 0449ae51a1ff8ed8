import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeCursor, encodeCursor, takePage } from './cursor.ts'

test('a cursor gives back the values it was made of', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1, maxLength: 3 }), (values) => {
      fc.pre(!values.some((one) => one.includes('\0')))
      expect(decodeCursor(encodeCursor(values), values.length)).toEqual(values)
    }),
  )
})

test.each([
  ['nothing', ''],
  ['no base64', '%%%'],
  ['no JSON', Buffer.from('{').toString('base64url')],
  ['an object', Buffer.from('{"length":1,"0":"a"}').toString('base64url')],
  ['a number', Buffer.from('[1]').toString('base64url')],
  ['a nested list', Buffer.from('[["a"]]').toString('base64url')],
  ['too many values', encodeCursor(['a', 'b'])],
  ['too few values', encodeCursor([])],
  ['NUL, which the database cannot take', encodeCursor(['a\0'])],
])('one of %s is refused as the caller’s mistake', (_, cursor) => {
  expect(() => decodeCursor(cursor, 1)).toThrow(expect.objectContaining({ code: 'invalid_input' }))
})

test('a page leads on where one more row came than it holds, and is the last where not', () => {
  const placeOf = (row: string) => [row]
  expect(takePage(['a', 'b', 'c'], 2, placeOf)).toEqual({ items: ['a', 'b'], nextCursor: encodeCursor(['b']) })
  expect(takePage(['a', 'b'], 2, placeOf)).toEqual({ items: ['a', 'b'], nextCursor: null })
  expect(takePage([], 2, placeOf)).toEqual({ items: [], nextCursor: null })
})
