import { expect, test } from 'vitest'
import { mergePackages } from './merge-packages.ts'

const one = (name: string, version: string, places?: string[]) => ({
  ...{ name, version, integrity: `sha256-${name}${version}`, size: null, url: '' },
  ...(places && { places }),
})

test('mergePackages() has each package of several locks once', () => {
  const numpy = one('numpy', '2.0')
  const merged = mergePackages([
    [one('polars', '1.0'), numpy],
    [numpy, one('plotly', '6.0')],
  ])
  expect(merged?.map(({ name }) => name)).toEqual(['numpy', 'plotly', 'polars'])
})

test('mergePackages() refuses locks with two versions of a package at one place', () => {
  expect(mergePackages([[one('numpy', '1.0')], [one('numpy', '2.0')]])).toBeUndefined()
  expect(mergePackages([[one('a', '1.0', ['a'])], [one('a', '2.0', ['a'])]])).toBeUndefined()
  const nested = mergePackages([
    [one('a', '1.0', ['a'])],
    [one('a', '2.0', ['b/node_modules/a']), one('a', '1.0', ['c/node_modules/a'])],
  ])
  expect(nested?.map(({ version, places }) => [version, places])).toEqual([
    ['1.0', ['a', 'c/node_modules/a']],
    ['2.0', ['b/node_modules/a']],
  ])
})
