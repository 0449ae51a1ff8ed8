import { expect, test } from 'vitest'
import { rebaseChange } from './rebase-change.ts'

/** What a text is after both changes. */
function merge(base: string, mine: string, theirs: string): string | undefined {
  const change = rebaseChange({ base, mine, theirs })
  return change && theirs.slice(0, change.at) + change.insert + theirs.slice(change.at + change.remove)
}

test('rebaseChange() keeps both changes of one line', () => {
  expect(merge('total = 1', 'total = 100', 'subtotal = 1')).toBe('subtotal = 100')
  expect(merge('total = 1', 'subtotal = 1', 'total = 100')).toBe('subtotal = 100')
  expect(merge('a b c', 'b c', 'a b d e')).toBe('b d e')
})

test('rebaseChange() has nothing to do where one of the two changed nothing, or both did the same', () => {
  expect(merge('x', 'xy', 'x')).toBe('xy')
  expect(merge('x', 'x', 'xy')).toBe('xy')
  expect(merge('x', 'xy', 'xy')).toBe('xy')
})

test('rebaseChange() answers undefined where both changed the same place', () => {
  expect(merge('x = 1', 'x = 2', 'x = 3')).toBeUndefined()
  expect(merge('x', 'xfoobar', 'xfoo')).toBeUndefined()
})
