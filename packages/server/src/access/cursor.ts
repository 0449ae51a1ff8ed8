import { CoherexError, type Page } from '@coherex/contract'

/** What a caller asks of a list. */
export interface PageQuery {
  limit: number
  cursor?: string | undefined
}

/** Where a page ended, as a caller gets it back. Values are checked again by the query that uses them. */
export function encodeCursor(values: string[]): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url')
}

export function decodeCursor(cursor: string, length: number): string[] {
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    if (Array.isArray(values) && values.length === length && values.every(isCursorValue)) return values
  } catch {
    // not ours: said below
  }
  throw new CoherexError('invalid_input', 'The cursor is not one that a list gave', { details: [{ field: 'cursor' }] })
}

/** The place in a list that is in order of time: a moment, as exact as PostgreSQL keeps it, and a name. */
export function decodeMomentCursor(cursor: string): { at: string; id: string } {
  const [at = '', id = ''] = decodeCursor(cursor, 2)
  if (/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/.test(at) && !Number.isNaN(Date.parse(at))) return { at, id }
  throw new CoherexError('invalid_input', 'The cursor is not one that this list gave')
}

/** A page of a list, of rows that were asked for with one more than the page holds. */
export function takePage<Row>(rows: Row[], limit: number, placeOf: (last: Row) => string[]): Page<Row> {
  const items = rows.slice(0, limit)
  const last = items.at(-1)
  return { items, nextCursor: rows.length > limit && last ? encodeCursor(placeOf(last)) : null }
}

/** PostgreSQL refuses NUL in any text. */
function isCursorValue(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0')
}
