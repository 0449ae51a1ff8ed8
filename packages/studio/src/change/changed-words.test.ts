import { expect, test } from 'vitest'
import { markChangedWords } from './changed-words.ts'
import { parseDiff } from './parse-diff.ts'

function marked(...lines: string[]): string[] {
  const count = (sign: string) => lines.filter((line) => line.startsWith(sign)).length
  const rows = parseDiff(`@@ -1,${count('-')} +1,${count('+')} @@\n${lines.join('\n')}`)
  return [...markChangedWords(rows)].map(([{ text }, { from, to }]) => text.slice(from, to))
}

test('markChangedWords() marks whole words that differ', () => {
  expect(marked('-return total(rows)', '+return totals(rows)')).toEqual(['total', 'totals'])
  expect(marked('-a = 1', '-b = 2', '+a = 1, 3', '+b = 20')).toEqual(['', ', 3', '2', '20'])
})

test('markChangedWords() marks nothing in lines that share little or have no partner', () => {
  expect(marked('-import os', '+class Report:')).toEqual([])
  expect(marked('-one', '+one!', '+two')).toEqual([])
})
