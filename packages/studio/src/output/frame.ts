/** A table of a run: a data frame, or the rows of a query. */
export interface Frame {
  columns: readonly { name: string; type: string }[]
  rows: readonly (readonly unknown[])[]
  /** Rows there are; `rows` may be the first of them. */
  total: number
}

export interface FrameOrder {
  column: number
  isDown: boolean
}

const frameMime = 'application/vnd.coherex.frame+json'

/** The table in a MIME bundle: as guests send frames, or as SQL answers. Whatever else a program shows is none. */
export function readFrame(data: Record<string, unknown>): Frame | undefined {
  const found: unknown = data[frameMime] ?? data['application/json']
  if (typeof found !== 'object' || found === null) return undefined
  const { columns, rows, total, rowCount } = found as Record<string, unknown>
  const count = total ?? rowCount
  if (!Array.isArray(columns) || !Array.isArray(rows) || typeof count !== 'number') return undefined
  const isColumn = (one: unknown) =>
    typeof one === 'object' && one !== null && typeof (one as Record<string, unknown>)['name'] === 'string'
  if (columns.length === 0 || !columns.every(isColumn) || !rows.every(Array.isArray)) return undefined
  return {
    columns: columns.map(({ name, type }) => ({ name, type: typeof type === 'string' ? type : '' })),
    rows,
    total: count,
  }
}

export function textOfCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** The places of the rows that have the words in one of their cells, in the order asked for. */
export function arrangeRows(rows: Frame['rows'], words: string, order: FrameOrder | undefined): number[] {
  const wanted = words.trim().toLowerCase()
  const places = rows.flatMap((row, at) =>
    wanted === '' || row.some((value) => textOfCell(value).toLowerCase().includes(wanted)) ? [at] : [],
  )
  if (!order) return places
  const { column, isDown } = order
  const valueAt = (at: number) => rows[at]?.[column]
  return places.toSorted((a, b) => compareCells(valueAt(a), valueAt(b), isDown))
}

const collator = new Intl.Collator(undefined, { numeric: true })

/** What is missing comes last in either direction. */
function compareCells(a: unknown, b: unknown, isDown: boolean): number {
  const [isNone, isNoneToo] = [a === null || a === undefined, b === null || b === undefined]
  if (isNone || isNoneToo) return Number(isNone) - Number(isNoneToo)
  const order = typeof a === 'number' && typeof b === 'number' ? a - b : collator.compare(textOfCell(a), textOfCell(b))
  return isDown ? -order : order
}
