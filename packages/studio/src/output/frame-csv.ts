import { textOfCell, type Frame } from './frame.ts'

/** A table as CSV (RFC 4180). A spreadsheet must take no text of it for a formula. */
export function toCsv({ columns, rows }: Pick<Frame, 'columns' | 'rows'>): string {
  const lines = [columns.map(({ name }) => name), ...rows]
  return lines.map((line) => `${line.map(toField).join(',')}\r\n`).join('')
}

function toField(value: unknown): string {
  const text = textOfCell(value)
  const isNumber = typeof value === 'number' || /^[-+]?\d+(?:\.\d+)?$/.test(text)
  const safe = !isNumber && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}
