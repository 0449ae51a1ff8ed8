import type { DuckDBValue } from '@duckdb/node-api'
import { toJson, toText, type Json } from './values.ts'

export interface Table {
  columns: { name: string; type: string }[]
  rows: DuckDBValue[][]
  /** Rows there were; more than `rows` where the rest was left out. */
  total: number
}

const shownRows = 100
const widestCell = 60
const widestHtmlCell = 500

/** The rows as objects. Columns of one name keep apart: the second `a` is `a_1`. */
export function toRecords({ columns, rows }: Table): Json[] {
  const names = distinctNames(columns.map(({ name }) => name))
  return rows.map((row) => Object.fromEntries(row.map((value, index) => [names[index] ?? '', toJson(value)])))
}

/** The table in every form that a viewer may want; as data with as many rows as fit into `maxBytes`. */
export function toBundle(table: Table, maxBytes: number): Record<string, unknown> {
  const { columns, total } = table
  const rows: Json[][] = []
  let bytes = 0
  for (const row of table.rows) {
    const next = row.map(toJson)
    bytes += Buffer.byteLength(JSON.stringify(next))
    if (bytes > maxBytes) break
    rows.push(next)
  }
  return {
    'text/plain': toPlain(table),
    'text/html': toHtml(table),
    'application/json': { columns, rows, rowCount: total },
  }
}

function toPlain({ columns, rows, total }: Table): string {
  const cells = rows
    .slice(0, shownRows)
    .map((row) => row.map((value) => shorten(toText(value).replace(/\s+/g, ' '), widestCell)))
  const widths = columns.map(({ name }, index) => Math.max(name.length, ...cells.map((row) => row[index]?.length ?? 0)))
  const numeric = columns.map(({ type }) => isNumeric(type))
  const line = (texts: string[]) =>
    texts
      .map((text, index) => (numeric[index] ? text.padStart(widths[index] ?? 0) : text.padEnd(widths[index] ?? 0)))
      .join('  ')
      .trimEnd()
  return [
    line(columns.map(({ name }) => name)),
    line(widths.map((width) => '─'.repeat(width))),
    ...cells.map(line),
    countLine(total, cells.length),
  ].join('\n')
}

function toHtml({ columns, rows, total }: Table): string {
  const sides = columns.map(({ type }) => ` align="${isNumeric(type) ? 'right' : 'left'}"`)
  const head = columns
    .map(({ name, type }, index) => `<th title="${escapeHtml(type)}"${sides[index]}>${escapeHtml(name)}</th>`)
    .join('')
  const shown = rows.slice(0, shownRows)
  const cell = (value: DuckDBValue, index: number) =>
    `<td${sides[index]}>${escapeHtml(shorten(toText(value), widestHtmlCell))}</td>`
  const body = shown.map((row) => `<tr>${row.map(cell).join('')}</tr>`).join('')
  return `<table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table><p>${countLine(total, shown.length)}</p>`
}

function isNumeric(type: string): boolean {
  return /^(?:U?(?:TINY|SMALL|BIG|HUGE)?INT(?:EGER)?|DECIMAL\(\d+,\d+\)|FLOAT|DOUBLE)$/.test(type)
}

/** "1 row", "2 rows". */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

function countLine(total: number, shown: number): string {
  return `${countOf(total, 'row')}${shown < total ? `, the first ${shown} shown` : ''}`
}

function shorten(text: string, width: number): string {
  return text.length > width ? `${text.slice(0, width - 1)}…` : text
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

function distinctNames(names: string[]): string[] {
  const taken = new Set<string>()
  return names.map((name) => {
    let free = name
    for (let count = 1; taken.has(free); count++) free = `${name}_${count}`
    taken.add(free)
    return free
  })
}
