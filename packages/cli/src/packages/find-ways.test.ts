import type { PackageLock } from '@coherex/contract'
import { expect, test } from 'vitest'
import { findWays } from './find-ways.ts'

const one = (name: string, dependencies?: string[]) => ({
  ...{ name, version: '1.0', integrity: 'sha256-a', size: null },
  ...(dependencies && { dependencies }),
})
const lock = (packages: PackageLock['packages']): PackageLock => ({
  hash: 'a',
  language: 'python',
  requirements: ['pandas>=2', 'Seaborn', 'polars'],
  packages,
})

test('findWays() finds the shortest way from each requirement, in circles too', () => {
  const packages = [
    one('pandas', ['numpy', 'python-dateutil']),
    one('seaborn', ['matplotlib', 'pandas']),
    one('matplotlib', ['numpy', 'matplotlib']),
    one('python-dateutil', ['six', 'pandas']),
    one('numpy', []),
    one('six', []),
    one('polars', []),
  ]
  expect(findWays(lock(packages), 'numpy')).toEqual([
    { requirement: 'pandas>=2', packages: ['pandas', 'numpy'] },
    { requirement: 'Seaborn', packages: ['Seaborn', 'matplotlib', 'numpy'] },
  ])
  expect(findWays(lock(packages), 'Python_DateUtil')?.[0]).toEqual({
    requirement: 'pandas>=2',
    packages: ['pandas', 'python-dateutil'],
  })
  expect(findWays(lock(packages), 'polars')).toEqual([{ requirement: 'polars', packages: ['polars'] }])
})

test('findWays() guesses nothing where the lock does not say what packages need', () => {
  const packages = [one('pandas'), one('numpy')]
  expect(findWays(lock(packages), 'pandas')).toEqual([{ requirement: 'pandas>=2', packages: ['pandas'] }])
  expect(findWays(lock(packages), 'numpy')).toBeUndefined()
})
