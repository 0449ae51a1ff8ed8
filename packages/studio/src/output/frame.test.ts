import { expect, test } from 'vitest'
import { toCsv } from './frame-csv.ts'
import { arrangeRows, readFrame } from './frame.ts'

const columns = [
  { name: 'n', type: 'int64' },
  { name: 'name', type: 'object' },
]
const rows = [
  [10, 'Zoë'],
  [9, null],
  [null, 'anna'],
  [100, 'Anna 2'],
]

test('readFrame() takes frames of guests and answers of SQL, and no other data', () => {
  const frame = { columns, rows, total: 4 }
  expect(readFrame({ 'application/vnd.coherex.frame+json': frame })).toEqual(frame)
  expect(readFrame({ 'application/json': { columns, rows, rowCount: 4 } })).toEqual(frame)
  for (const other of [{ columns, rows }, { columns: [], rows: [], total: 0 }, { columns: ['n'], rows, total: 4 }, [1]])
    expect(readFrame({ 'application/json': other })).toBeUndefined()
})

test('arrangeRows() filters by words in any cell and sorts by a column, with what is missing last', () => {
  expect(arrangeRows(rows, 'anna', undefined)).toEqual([2, 3])
  expect(arrangeRows(rows, '', { column: 0, isDown: false })).toEqual([1, 0, 3, 2])
  expect(arrangeRows(rows, '', { column: 0, isDown: true })).toEqual([3, 0, 1, 2])
  expect(arrangeRows(rows, '', { column: 1, isDown: false })).toEqual([2, 3, 0, 1])
})

test('toCsv() quotes cells, and writes no text that a spreadsheet takes for a formula', () => {
  const cells = ['=1+1', '+cmd', '-2', -2, '@x', '\tx', 'a,"b"', null, true, { a: 1 }, '2\n3']
  expect(toCsv({ columns: [{ name: '=head', type: '' }], rows: cells.map((one) => [one]) })).toBe(
    ["'=head", "'=1+1", "'+cmd", '-2', '-2', "'@x", "'\tx", '"a,""b"""', '', 'true', '"{""a"":1}"', '"2\n3"', ''].join(
      '\r\n',
    ),
  )
})
