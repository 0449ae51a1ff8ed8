import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createGlobMatcher } from './match-globs.ts'

// as long as paths may be, in as many files as a run may write
const longPaths = Array.from({ length: 10_000 }, (_, at) => `${`${'a'.repeat(199)}/`.repeat(5)}${at}`)

function cpuMs(act: () => void): number {
  const before = process.threadCpuUsage()
  act()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

test.each([
  ['many directories', '**/'.repeat(340) + 'b*'],
  ['many stars', '*a'.repeat(500) + '*'],
  ['both', '**/*'.repeat(255)],
  ['stars and marks', '*?'.repeat(500) + '*'],
  ['a word', 'zzz'],
])('[R04] a hundred patterns over ten thousand long paths take no longer than a turn may: %s', (_, pattern) => {
  const matches = createGlobMatcher(Array.from({ length: 100 }, () => pattern))
  // a tenth of a second; with no bound on all the work it would be minutes
  expect(cpuMs(() => longPaths.forEach(matches))).toBeLessThan(1_000)
})

test('what is left when the bound of work is reached is for the caller to decide', () => {
  const patterns = Array.from({ length: 100 }, () => '*a'.repeat(500) + '*')
  expect(createGlobMatcher(patterns)(longPaths[0] ?? '')).toBe(false)
  const matches = createGlobMatcher(patterns, () => {
    throw new Error('spent')
  })
  expect(() => longPaths.forEach(matches)).toThrow('spent')
})

test('honest patterns have room for all files that a run may write', () => {
  const paths = Array.from({ length: 10_000 }, (_, at) => `some/deep/folder/of/results/number-${at}/the-table.csv`)
  const matches = createGlobMatcher(['*.txt', 'out/**', '**/number-*/*table*', '**/*.csv'], () => {
    throw new Error('spent')
  })
  expect(paths.filter(matches)).toEqual(paths)
})

test('patterns of any length match as the regular expression that says the same', () => {
  const part = fc.constantFrom('a', 'b', '/', '*', '**', '**/', '?', 'ab'.repeat(16))
  const name = fc.constantFrom('a', 'b', '/', 'ab', 'ab'.repeat(16))
  fc.assert(
    fc.property(fc.array(part, { maxLength: 8 }), fc.array(name, { maxLength: 8 }), (parts, names) => {
      const [pattern, path] = [parts.join(''), names.join('')]
      expect(createGlobMatcher([pattern])(path)).toBe(toRegExp(pattern).test(path))
    }),
    { numRuns: 2_000 },
  )
})

function toRegExp(pattern: string): RegExp {
  const said = { '**/': '(?:(?<=^|/)|.*/)', '*': '[^/]*', '?': '[^/]' } as Record<string, string>
  const tokens = pattern.replace(/^\.?\//, '').match(/\*\*\/|\*+|\?|[^*?]/g) ?? []
  return new RegExp(`^${tokens.map((token) => said[token] ?? (token.startsWith('**') ? '.*' : token)).join('')}$`)
}
