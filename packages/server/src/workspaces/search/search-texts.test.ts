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

const replace = (pattern: string, replacement: string, text: string, more: { isRegex?: boolean; only?: object } = {}) =>
  search.replace({
    ...{ pattern, replacement, isRegex: true, matchCase: true, texts: [{ path: 'a.txt', text }] },
    ...(more as object),
  })

test('TextSearch replaces with what groups found, alternatives and repetitions too', async () => {
  expect(await replace('(\\w+)@(\\w+)|#(\\d)', '$2 at $1$3 $$ [$0] $9', 'olga@home\n#7\n')).toEqual([
    { path: 'a.txt', after: 'home at olga $ [olga@home] \n at 7 $ [#7] \n', count: 2 },
  ])
  // what would take an engine that backtracks for ever
  expect(await replace('(a+)+$', 'b', `${'a'.repeat(40)}!\naa`)).toMatchObject([{ count: 1 }])
  expect(await replace('a.b', '$1', 'a.b axb', { isRegex: false })).toEqual([
    { path: 'a.txt', after: '$1 axb', count: 1 },
  ])
  expect(await replace('x*', 'y', 'abc')).toEqual([])
  await expect(replace('(', 'y', 'abc')).rejects.toMatchObject({ code: 'invalid_input' })
  await expect(replace('a', 'x'.repeat(1000), 'a'.repeat(10_000))).rejects.toMatchObject({ code: 'too_large' })
})

test('TextSearch replaces the one match that is named', async () => {
  const only = { path: 'a.txt', line: 2, column: 5 }
  expect(await replace('one', 'two', 'one\none one one\n', { only })).toEqual([
    { path: 'a.txt', after: 'one\none two one\n', count: 1 },
  ])
})
