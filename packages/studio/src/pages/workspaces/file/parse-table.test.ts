import { expect, test } from 'vitest'
import { parseTable } from './parse-table.ts'

test('parseTable() reads quotes, doubled quotes, lines within quotes and both line ends', () => {
  expect(parseTable('name,note\r\n"Ada, L.","said ""hi""\nand left"\r\n\nBob,\n')).toEqual({
    header: ['name', 'note'],
    rows: [
      ['Ada, L.', 'said "hi"\nand left'],
      ['Bob', ''],
    ],
    isNumber: [false, false],
    isCut: false,
  })
})

test('parseTable() finds the separator by the first line and columns of numbers by their values', () => {
  const { header, rows, isNumber } = parseTable('id;price;day\n1;1.234,50;2026-01-01\n2;-7;2026-01-02\n3')
  expect([header, rows.at(-1), isNumber]).toEqual([['id', 'price', 'day'], ['3'], [true, true, false]])
})

test('parseTable() stops after 50,000 rows and says so', () => {
  const { rows, isCut } = parseTable(`n\n${'1\n'.repeat(60_000)}`)
  expect([rows.length, isCut]).toEqual([50_000, true])
  expect(parseTable('')).toEqual({ header: [], rows: [], isNumber: [], isCut: false })
})
