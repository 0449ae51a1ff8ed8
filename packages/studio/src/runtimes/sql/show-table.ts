export interface SqlTable {
  columns: string[]
  rows: unknown[][]
  /** There were more. */
  isCut: boolean
}

const shownRows = 100

/** The rows in the forms that tables of the server have. */
export function toBundle({ columns, rows, isCut }: SqlTable): Record<string, unknown> {
  const count = isCut ? `The first ${rows.length} rows.` : `${rows.length} ${rows.length === 1 ? 'row' : 'rows'}`
  const types = columns.map((name, at) => ({ name, type: typeOf(rows.map((row) => row[at])) }))
  return {
    'text/plain': `${toText(columns, rows.slice(0, shownRows))}\n${count}`,
    'text/html': toHtml(types, rows.slice(0, shownRows), count),
    'application/json': { columns: types, rows, rowCount: rows.length },
  }
}

/** The rows as objects. Columns of one name keep apart: the second `a` is `a_1`. */
export function toRecords({ columns, rows }: SqlTable): Record<string, unknown>[] {
  const names: string[] = []
  for (const name of columns) {
    let free = name
    for (let count = 1; names.includes(free); count++) free = `${name}_${count}`
    names.push(free)
  }
  return rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at]])))
}

function typeOf(values: unknown[]): string {
  const some = values.filter((value) => value !== null)
  if (some.length === 0) return 'NULL'
  if (some.every((value) => typeof value === 'number')) return some.every(Number.isInteger) ? 'INTEGER' : 'DOUBLE'
  return 'VARCHAR'
}

const cellText = (value: unknown) => (value === null ? 'NULL' : String(value))

function toHtml(columns: { name: string; type: string }[], rows: unknown[][], count: string): string {
  const sides = columns.map(({ type }) => ` align="${/^(INTEGER|DOUBLE)$/.test(type) ? 'right' : 'left'}"`)
  const head = columns.map(({ name, type }, at) => `<th title="${type}"${sides[at]}>${escape(name)}</th>`).join('')
  const cells = (row: unknown[]) =>
    row.map((value, at) => `<td${sides[at]}>${escape(cellText(value).slice(0, 500))}</td>`).join('')
  const body = rows.map((row) => `<tr>${cells(row)}</tr>`).join('')
  return `<table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table><p>${count}</p>`
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
}

function toText(columns: string[], rows: unknown[][]): string {
  const cells = [columns, ...rows.map((row) => row.map(cellText))]
  const widths = columns.map((_, at) => Math.min(40, Math.max(...cells.map((row) => row[at]?.length ?? 0))))
  const line = (row: string[]) =>
    row
      .map((one, at) => (one.length > 40 ? `${one.slice(0, 39)}…` : one).padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd()
  const [head = [], ...rest] = cells
  return [line(head), widths.map((width) => '─'.repeat(width)).join('  '), ...rest.map(line)].join('\n')
}
