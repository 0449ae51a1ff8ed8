import { expect, test } from 'vitest'
import { matchFiles } from './match-files.ts'

test('matchFiles() takes every file where no patterns were given', () => {
  expect(['a.ts', 'b/c.md'].filter(matchFiles(undefined))).toEqual(['a.ts', 'b/c.md'])
  expect(['a.ts', 'b/c.md'].filter(matchFiles(['**/*.md']))).toEqual(['b/c.md'])
})

test('matchFiles() refuses patterns that take too long, by the name of their field', () => {
  const paths = Array.from({ length: 10_000 }, (_, at) => `${`${'a'.repeat(199)}/`.repeat(5)}${at}`)
  const globs = Array.from({ length: 50 }, () => '*a'.repeat(19) + '**')
  expect(() => paths.filter(matchFiles(globs))).toThrow(
    expect.objectContaining({ code: 'invalid_input', details: [expect.objectContaining({ field: 'globs' })] }),
  )
})
