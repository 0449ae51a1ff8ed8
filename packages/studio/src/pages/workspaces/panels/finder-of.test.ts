import { expect, test } from 'vitest'
import { finderOf } from './finder-of.ts'

const split = (text: string, pattern: string, regex = false, matchCase = false) => {
  const find = finderOf({ pattern, regex, matchCase })
  return find && text.split(find)
}

test('finderOf() finds plain words with signs in them, with and without case', () => {
  expect(split('a.b A.B axb', 'a.b')).toEqual(['', 'a.b', ' ', 'A.B', ' axb'])
  expect(split('a.b A.B', 'A.B', false, true)).toEqual(['a.b ', 'A.B', ''])
})

test('finderOf() takes simple expressions, and none that could take forever', () => {
  expect(split('x12 y', '[0-9]+', true)).toEqual(['x', '12', ' y'])
  for (const pattern of ['(a+)+$', 'a*a*b', '[', 'a|b']) expect(split('aaa', pattern, true)).toBeUndefined()
})
