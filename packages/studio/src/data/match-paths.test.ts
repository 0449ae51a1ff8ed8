import { expect, test } from 'vitest'
import { matchPaths } from './match-paths.ts'

const paths = ['src/main.ts', 'main/readme.md', 'src/tests/domain.ts', 'package.json']

test('matchPaths() puts names before folders, and letters together before letters apart', () => {
  expect(matchPaths(paths, 'main', 9)).toEqual(['src/main.ts', 'src/tests/domain.ts', 'main/readme.md'])
  expect(matchPaths(paths, 'stm', 9)).toEqual(['src/tests/domain.ts'])
  expect(matchPaths(paths, ' ', 2)).toEqual(['src/main.ts', 'main/readme.md'])
  expect(matchPaths(paths, 'zz', 9)).toEqual([])
})
