import { expect, test } from 'vitest'
import { finderOf } from './finder-of.ts'
import { replaceInTexts } from './replace-in-texts.ts'

const texts: [string, string][] = [
  ['a.txt', 'one\ntwo one ONE\nthree'],
  ['b.txt', 'nothing'],
]
const find = (pattern: string, regex = false) => finderOf({ pattern, regex, matchCase: false }) ?? /never^/

test('replaceInTexts() says what each file becomes, how often, and shows it as a change', () => {
  expect(replaceInTexts(texts, find('one'), { replacement: '$1', isPattern: false })).toEqual([
    {
      path: 'a.txt',
      after: '$1\ntwo $1 $1\nthree',
      count: 3,
      diff: '@@ -1,3 +1,3 @@\n-one\n+$1\n-two one ONE\n+two $1 $1\n three\n',
    },
  ])
})

test('replaceInTexts() with a pattern puts in what was found', () => {
  const [done] = replaceInTexts(texts, find('t\\w+', true), { replacement: '<$0>', isPattern: true })
  expect(done?.after).toBe('one\n<two> one ONE\n<three>')
})
