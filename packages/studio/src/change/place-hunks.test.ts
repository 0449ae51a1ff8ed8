import { createTwoFilesPatch } from 'diff'
import { describe, expect, test } from 'vitest'
import { hunksOf, placeHunks } from './place-hunks.ts'

const diffOf = (before: string, after: string) =>
  createTwoFilesPatch('a/x', 'b/x', before, after, undefined, undefined, { context: 3 })

function apply(text: string, before: string, after: string) {
  const { changes, missing } = placeHunks(text, hunksOf(diffOf(before, after)))
  const made = changes
    .toSorted((a, b) => b.at - a.at)
    .reduce((now, { at, remove, insert }) => now.slice(0, at) + insert + now.slice(at + remove), text)
  return { made, missing }
}

const numbers = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`)
const text = `${numbers.join('\n')}\n`

describe('placeHunks', () => {
  test.each<[string, string, string]>([
    ['a line', text, text.replace('line 5\n', 'five\n')],
    ['two places', text, text.replace('line 2\n', 'two\n').replace('line 28\n', 'a\nb\n')],
    ['a deletion', text, text.replace('line 9\n', '')],
    ['the first line', text, `new\n${text}`],
    ['the last line', text, `${text}new\n`],
    ['the end without a line break', 'a\nb', 'a\nb\nc'],
    ['a line break at the end', 'a\nb', 'a\nb\n'],
    ['no line break at the end any more', 'a\nb\n', 'a\nb'],
    ['an empty file', '', 'a\nb\n'],
    ['a file that is emptied', 'a\nb\n', ''],
    ['all of it', 'a\nb\n', 'c\n'],
    ['empty lines', 'a\n\n\nb\n', 'a\n\nb\n\n'],
  ])('makes the text what the diff says: %s', (_, before, after) => {
    expect(apply(before, before, after)).toEqual({ made: after, missing: 0 })
  })

  test('what was typed elsewhere since stays, and lines that moved are found', () => {
    const after = text.replace('line 20\n', 'twenty\n')
    const now = `typed\n\n${text.replace('line 1\n', 'one\n')}`
    expect(apply(now, text, after)).toEqual({ made: now.replace('line 20\n', 'twenty\n'), missing: 0 })
  })

  test('what was typed right beside it stays too', () => {
    const after = text.replace('line 20\n', 'twenty\n')
    const now = text.replace('line 21\n', 'mine\n').replace('line 18\n', '')
    expect(apply(now, text, after)).toEqual({ made: now.replace('line 20\n', 'twenty\n'), missing: 0 })
  })

  test('a hunk whose lines were changed since is left out, and the others go in', () => {
    const after = text.replace('line 5\n', 'five\n').replace('line 25\n', 'twenty-five\n')
    const now = text.replace('line 5\n', 'mine\n')
    expect(apply(now, text, after)).toEqual({ made: now.replace('line 25\n', 'twenty-five\n'), missing: 1 })
  })
})
