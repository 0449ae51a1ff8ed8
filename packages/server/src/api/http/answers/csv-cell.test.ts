import { expect, test } from 'vitest'
import { csvCell } from '../access/audit.ts'

test.each(['=HYPERLINK("http://evil")', '+cmd|/c calc', '-2+3', '@SUM(A1)', '\t=1', '\r=1'])(
  '[H07] a cell that a spreadsheet would compute is text: %j',
  (value) => {
    expect(csvCell(value)).toBe(`"'${value.replaceAll('"', '""')}"`)
  },
)

test.each([
  ['plain', '"plain"'],
  ['with "quotes"', '"with ""quotes"""'],
  ['two\nlines, and a comma', '"two\nlines, and a comma"'],
  ['a=b', '"a=b"'],
  ['', '""'],
  [null, '""'],
  [undefined, '""'],
])('%j becomes %s', (value, cell) => {
  expect(csvCell(value)).toBe(cell)
})
