import { inspect, safely, showNumber } from './inspect.ts'

/** console.log's and util.format's: %s %d %i %f %j %o %O %c, then the rest. */
export function format(args: readonly unknown[]): string {
  const first = args[0]
  if (args.length === 1 && typeof first === 'string') return first
  if (typeof first !== 'string') return args.map(showArgument).join(' ')
  const rest = args.slice(1)
  let next = 0
  const text = first.replace(/%[sdifjoOc%]/g, (directive) => {
    if (directive === '%%') return '%'
    if (next >= rest.length) return directive
    return formatOne(directive, rest[next++])
  })
  return [text, ...rest.slice(next).map(showArgument)].join(' ')
}

function showArgument(value: unknown): string {
  return typeof value === 'string' ? value : inspect(value)
}

function formatOne(directive: string, value: unknown): string {
  switch (directive) {
    case '%s':
      if (typeof value === 'object' && value !== null)
        return saysItself(value) ? String(value) : inspect(value, { depth: 0 })
      if (typeof value === 'number') return showNumber(value)
      return typeof value === 'bigint' ? `${value}n` : String(value)
    case '%d':
      return typeof value === 'bigint' ? `${value}n` : typeof value === 'symbol' ? 'NaN' : showNumber(Number(value))
    case '%i':
      return typeof value === 'bigint'
        ? `${value}n`
        : typeof value === 'symbol'
          ? 'NaN'
          : String(parseInt(String(value), 10))
    case '%f':
      return typeof value === 'symbol' ? 'NaN' : String(parseFloat(String(value)))
    case '%j':
      return showJson(value)
    case '%o':
      return inspect(value, { depth: 4, showHidden: true })
    case '%O':
      return inspect(value)
    default:
      return ''
  }
}

function showJson(value: unknown): string {
  try {
    return String(JSON.stringify(value))
  } catch (error) {
    if (error instanceof TypeError && error.message.includes('circular')) return '[Circular]'
    throw error
  }
}

/** It has a `toString` of its author's own, not one that came with the language. */
function saysItself(value: object): boolean {
  let holder: object | null = value
  while (holder && !Object.hasOwn(holder, 'toString')) holder = Object.getPrototypeOf(holder) as object | null
  const own = safely(() => (holder as { toString?: unknown } | null)?.toString)
  return typeof own === 'function' && !Function.prototype.toString.call(own).includes('[native code]')
}
