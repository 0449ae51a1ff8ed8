import { expect, test } from 'vitest'
import { findMentioned, mentionAt, mentionOf } from './mention.ts'

test('mentionAt() finds the letters after an @ that begins a word', () => {
  expect(mentionAt('Look at @src/ma', 15)).toEqual({ from: 8, typed: 'src/ma' })
  expect(mentionAt('@', 1)).toEqual({ from: 0, typed: '' })
  expect(mentionAt('mail olga@example', 17)).toBeUndefined()
  expect(mentionAt('@done and', 9)).toBeUndefined()
})

test('findMentioned() names files of the workspace, also those with spaces and at the end of a sentence', () => {
  const paths = ['a.py', 'my notes.md', 'src/b.ts', 'c.txt']
  const text = `Compare ${mentionOf('my notes.md')} with @src/b.ts, then mend @a.py. Not x@c.txt or @gone.py`
  expect(findMentioned(text, paths)).toEqual(['a.py', 'my notes.md', 'src/b.ts'])
})
