import type { Json } from './runtime-messages.ts'

const mostEntries = 100
const deepest = 4
const longest = 10_000

/** A value as a console shows it: bounded, and whatever its getters do. */
export function inspect(value: unknown): string {
  return write(value, 0, new Set()).slice(0, longest)
}

function write(value: unknown, depth: number, above: Set<object>): string {
  if (typeof value === 'string') return depth === 0 ? value : JSON.stringify(value)
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'function')
    return `[${/^class\b/.test(String(value)) ? 'class' : 'Function'} ${value.name || '(anonymous)'}]`
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? '-0' : String(value)
  if (above.has(value)) return '[Circular]'
  try {
    return writeObject(value, depth, new Set(above).add(value))
  } catch (error) {
    return `[Object that cannot be shown: ${String(error)}]`
  }
}

function writeObject(value: object, depth: number, above: Set<object>): string {
  if (value instanceof Error) return depth === 0 ? (value.stack ?? String(value)) : `[${String(value)}]`
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString()
  if (value instanceof RegExp) return String(value)
  if (value instanceof Promise) return 'Promise'
  const next = (one: unknown) => write(one, depth + 1, above)
  const name = value.constructor?.name
  const list = (items: string[], count: number, [open, close]: [string, string], before = '') => {
    if (depth >= deepest && count > 0) return `${before}${open}…${close}`
    const all = count > items.length ? [...items, `… ${count - items.length} more`] : items
    const line = all.join(', ')
    const isLong = line.length > 76 || line.includes('\n')
    const pad = '  '.repeat(depth + 1)
    const body = isLong
      ? `\n${pad}${all.join(`,\n${pad}`)}\n${'  '.repeat(depth)}`
      : open === '{' && all.length > 0
        ? ` ${line} `
        : line
    return `${before}${open}${body}${close}`
  }
  const taken = depth >= deepest ? 0 : mostEntries
  if (Array.isArray(value)) return list(value.slice(0, taken).map(next), value.length, ['[', ']'])
  if (ArrayBuffer.isView(value) && 'length' in value) {
    const view = value as unknown as ArrayLike<number>
    return list(
      Array.from({ length: Math.min(taken, view.length) }, (_, at) => next(view[at])),
      view.length,
      ['[', ']'],
      `${name}(${view.length}) `,
    )
  }
  if (value instanceof Map) {
    const entries = [...value].slice(0, taken).map(([key, one]) => `${next(key)} => ${next(one)}`)
    return list(entries, value.size, ['{', '}'], `Map(${value.size}) `)
  }
  if (value instanceof Set)
    return list([...value].slice(0, taken).map(next), value.size, ['{', '}'], `Set(${value.size}) `)
  const keys = Object.keys(value)
  const entries = keys
    .slice(0, taken)
    .map(
      (key) =>
        `${/^[A-Za-z_$][\w$]*$/.test(key) ? key : JSON.stringify(key)}: ${next((value as Record<string, unknown>)[key])}`,
    )
  return list(entries, keys.length, ['{', '}'], name && name !== 'Object' ? `${name} ` : '')
}

/** A value as JSON carries it, where that says the same and is not too long; undefined otherwise. */
export function toJson(value: unknown): Json {
  if (value === undefined || typeof value === 'function' || typeof value === 'symbol') return undefined
  try {
    const text = JSON.stringify(value)
    return text === undefined || text.length > 100_000 ? undefined : (JSON.parse(text) as Json)
  } catch {
    // a circle, or something that JSON has no word for: its text is shown
    return undefined
  }
}
