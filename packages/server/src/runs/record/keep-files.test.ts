import { expect, test } from 'vitest'
import { byKeep } from './keep-files.ts'

const kept = (paths: string[], keep: string[] | undefined) =>
  byKeep(
    paths.map((path) => ({ path, bytes: new Uint8Array() })),
    keep,
  )?.map(({ path }) => path)
const tree = ['a.txt', 'b.csv', 'out/a.txt', 'out/deep/c.txt', 'out.txt/x', '[a].txt', '{a,b}']

test.each([
  [undefined, tree],
  [[], []],
  [['*.txt'], ['a.txt', '[a].txt']],
  [['?.txt'], ['a.txt']],
  [['./a.txt'], ['a.txt']],
  [['out/*'], ['out/a.txt']],
  [['out/**'], ['out/a.txt', 'out/deep/c.txt']],
  [['**/*.txt'], ['a.txt', 'out/a.txt', 'out/deep/c.txt', '[a].txt']],
  [
    ['**/c.txt', 'b*'],
    ['b.csv', 'out/deep/c.txt'],
  ],
  [['**'], tree],
  [['ou**xt'], ['out/a.txt', 'out/deep/c.txt']],
  [['[a].txt'], ['[a].txt']],
  [['{a,b}'], ['{a,b}']],
  [['../**', '/etc/*', ''], []],
])('byKeep() with %j', (keep, expected) => {
  expect(kept(tree, keep)).toEqual(expected)
})

test('[R04] patterns that would never end in a regular expression end at once', () => {
  const paths = Array.from({ length: 2000 }, (_, at) => `${'a'.repeat(200)}${at}`)
  const before = process.threadCpuUsage()
  for (const keep of [
    ['*a'.repeat(500) + 'b'],
    ['{a,b}'.repeat(200)],
    ['+(a|+(a|aa))'.repeat(80) + 'b'],
    ['**a'.repeat(300)],
  ])
    expect(kept(paths, keep)).toEqual([])
  const { user, system } = process.threadCpuUsage(before)
  expect((user + system) / 1000).toBeLessThan(5_000)
})

test('[R04] byKeep() says when the patterns take too long, and drops no file in silence', () => {
  const paths = Array.from({ length: 10_000 }, (_, at) => `${`${'a'.repeat(199)}/`.repeat(5)}${at}`)
  expect(
    kept(
      paths,
      Array.from({ length: 100 }, () => '**a'.repeat(300) + '**'),
    ),
  ).toBe(undefined)
})
