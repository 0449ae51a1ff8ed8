import { inspect } from './inspect.ts'
import { widthOf } from './lay-out.ts'

const maxRows = 1000

/** console.table's box, or undefined for what has no rows. */
export function table(data: unknown, columns?: string[]): string | undefined {
  if (typeof data !== 'object' || data === null) return undefined
  const isMap = data instanceof Map
  const entries: [unknown, unknown][] = isMap
    ? [...data]
    : data instanceof Set
      ? [...data].map((item, at) => [at, item])
      : Object.entries(data)
  const rows = entries.slice(0, maxRows)

  const names: string[] = []
  let hasValues = false
  for (const [, row] of rows) {
    if (typeof row === 'object' && row !== null) {
      for (const key of Object.keys(row)) if (!names.includes(key) && names.length < 50) names.push(key)
    } else hasValues = true
  }
  const shown = columns ?? names
  const header = ['(index)', ...shown, ...(hasValues ? ['Values'] : [])]
  const lines = rows.map(([key, row]) => {
    const isObject = typeof row === 'object' && row !== null
    const cells = shown.map((name) =>
      isObject && Object.hasOwn(row, name) ? cell((row as Record<string, unknown>)[name]) : '',
    )
    return [String(key), ...cells, ...(hasValues ? [isObject ? '' : cell(row)] : [])]
  })
  const text = box([header, ...lines])
  return entries.length > rows.length ? `${text}\n… ${entries.length - rows.length} more rows` : text
}

function cell(value: unknown): string {
  return inspect(value, { depth: 0 }).replaceAll('\n', ' ')
}

function box(lines: string[][]): string {
  const widths = lines[0]!.map((_, column) => Math.max(...lines.map((line) => widthOf(line[column] ?? ''))) + 2)
  const rule = (left: string, middle: string, right: string) =>
    left + widths.map((size) => '─'.repeat(size)).join(middle) + right
  const row = (line: string[]) =>
    `│${line.map((text, column) => ` ${text}${' '.repeat(widths[column]! - widthOf(text) - 1)}`).join('│')}│`
  const [header, ...rest] = lines
  return [rule('┌', '┬', '┐'), row(header!), rule('├', '┼', '┤'), ...rest.map(row), rule('└', '┴', '┘')].join('\n')
}
