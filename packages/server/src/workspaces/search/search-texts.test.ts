import { afterAll, expect, test } from 'vitest'
import { TextSearch } from './search-texts.ts'

const search = new TextSearch()
afterAll(() => search.close())

const find = (pattern: string, texts: string[], more: { isRegex?: boolean; matchCase?: boolean } = {}) =>
  search.find({
    pattern,
    isRegex: false,
    matchCase: false,
    most: 10,
    texts: texts.map((text, at) => ({ path: `${at}.txt`, text })),
    ...more,
  })

test('words that are nowhere in many megabytes are looked for in time, in either case', async () => {
  const texts = Array.from({ length: 30 }, () => 'a line of some words\n'.repeat(45_000))
  expect(await find('nowhere', texts)).toEqual({ items: [], truncated: false })
  expect(await find('no where', texts, { isRegex: true })).toEqual({ items: [], truncated: false })
  // a line is looked at once, however often it has them
  expect((await find('x', ['x'.repeat(1_000_000)])).items).toMatchObject([{ line: 1, column: 1 }])
})

test('words are found as they are, whatever they mean in a pattern, and a pattern by what it means', async () => {
  const texts = ['1 + 1 = (2)\nÜBER a.b\n', 'uber A-B\r\n😀 über']
  const places = async (...asked: Parameters<typeof find>) =>
    (await find(...asked)).items.map(({ path, line, column }) => [path, line, column])
  expect(await places('(2)', texts)).toEqual([['0.txt', 1, 9]])
  for (const odd of ['\\', '[', '^', '$', '{1}', '|', '*', '?'])
    expect(await places(odd, [`of ${odd} in it`])).toEqual([['0.txt', 1, 4]])
  expect(await places('über', texts)).toEqual([
    ['0.txt', 2, 1],
    ['1.txt', 2, 4],
  ])
  expect(await places('über', texts, { matchCase: true })).toEqual([['1.txt', 2, 4]])
  expect(await places('a.b', texts)).toEqual([['0.txt', 2, 6]])
  expect(await places('a.b', texts, { isRegex: true })).toEqual([
    ['0.txt', 2, 6],
    ['1.txt', 1, 6],
  ])
})
