import { inspect } from './inspect.ts'
import { widthOf } from './lay-out.ts'

const maxRows = 1000

/** console.table's box, or undefined for what has no rows. */
export function table(data: unknown, columns?: string[]): string | undefined {
  if (typeof data !== 'object' || data === null) return undefined
  if (data instanceof Map || data instanceof Set) return listEntries(data)
  const entries: [unknown, unknown][] = Object.entries(data)
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
  return cutBox([header, ...lines], entries.length)
}

/** A map or a set has an order and no columns. */
function listEntries(data: Map<unknown, unknown> | Set<unknown>): string {
  const isMap = data instanceof Map
  const lines: string[][] = [['(iteration index)', ...(isMap ? ['Key'] : []), 'Values']]
  for (const [key, value] of data.entries()) {
    if (lines.length > maxRows) break
    lines.push([String(lines.length - 1), ...(isMap ? [cell(key)] : []), cell(value)])
  }
  return cutBox(lines, data.size)
}

function cutBox(lines: string[][], size: number): string {
  const left = size - (lines.length - 1)
  return left > 0 ? `${box(lines)}\n… ${left} more rows` : box(lines)
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
