export interface ParsedTable {
  header: string[]
  rows: string[][]
  /** Columns whose values are all numbers, as far as was looked. */
  isNumber: boolean[]
  /** There is more text than was read. */
  isCut: boolean
}

const mostRows = 50_000
const mostColumns = 200
const sampleRows = 200

/** Reads values between commas, semicolons or tabs, as RFC 4180 has it: quotes, doubled quotes and lines within them. */
export function parseTable(text: string): ParsedTable {
  const separator = separatorOf(text)
  const rows: string[][] = []
  let row: string[] = []
  let value = ''
  let isQuoted = false
  let isCut = false
  const endValue = () => {
    if (row.length < mostColumns) row.push(value)
    else isCut = true
    value = ''
  }
  const endRow = () => {
    endValue()
    // a line with nothing in it is no row
    if (row.length > 1 || row[0] !== '') rows.push(row)
    row = []
  }
  let at = text.startsWith('\uFEFF') ? 1 : 0
  for (; at < text.length; at++) {
    const character = text[at]
    if (isQuoted) {
      if (character !== '"') value += character
      else if (text[at + 1] === '"') {
        value += '"'
        at++
      } else isQuoted = false
    } else if (character === '"' && value === '') isQuoted = true
    else if (character === separator) endValue()
    else if (character === '\n') {
      endRow()
      if (rows.length > mostRows) break
    } else if (character !== '\r' || text[at + 1] !== '\n') value += character
  }
  if (at >= text.length && (value !== '' || row.length > 0)) endRow()
  const [header = [], ...body] = rows
  const width = body.slice(0, sampleRows).reduce((most, one) => Math.max(most, one.length), header.length)
  return {
    header: Array.from({ length: width }, (_, column) => header[column] ?? ''),
    rows: body,
    isNumber: Array.from({ length: width }, (_, column) => isNumberColumn(body, column)),
    isCut: isCut || at < text.length,
  }
}

function separatorOf(text: string): string {
  const end = text.indexOf('\n')
  const first = end < 0 ? text : text.slice(0, end)
  const counts = [',', ';', '\t'].map((one) => ({ one, count: first.split(one).length }))
  return counts.reduce((best, next) => (next.count > best.count ? next : best)).one
}

function isNumberColumn(rows: readonly string[][], column: number): boolean {
  const values = rows.slice(0, sampleRows).flatMap((row) => row[column]?.trim() || [])
  return values.length > 0 && values.every((value) => /^[-+]?[\d\s.,']*\d\s?(?:[eE][-+]?\d+|%)?$/.test(value))
}
