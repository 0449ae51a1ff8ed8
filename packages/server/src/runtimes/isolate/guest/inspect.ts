// How console, node:util and the REPL-like parts show a value: as Node does, for the values an isolate has.
export interface InspectOptions {
  depth?: number | null
  compact?: boolean
  breakLength?: number
  showHidden?: boolean
  sorted?: boolean
  maxArrayLength?: number | null
  maxStringLength?: number | null
}

interface Walk {
  depth: number
  breakLength: number
  maxItems: number
  maxString: number
  sorted: boolean
  showHidden: boolean
  seen: unknown[]
  circular: unknown[]
  /** Nodes still to be shown: a value of a million parts must not cost a million lines. */
  budget: number
}

export const inspectCustom = Symbol.for('nodejs.util.inspect.custom')

export function inspect(value: unknown, options: InspectOptions | boolean = {}): string {
  const given = typeof options === 'object' ? options : {}
  const walk: Walk = {
    depth: given.depth === null ? 100 : Math.min(given.depth ?? 2, 100),
    breakLength: given.breakLength ?? 80,
    maxItems: given.maxArrayLength === null ? Infinity : (given.maxArrayLength ?? 100),
    maxString: given.maxStringLength === null ? Infinity : (given.maxStringLength ?? 10_000),
    sorted: given.sorted ?? false,
    showHidden: given.showHidden ?? false,
    seen: [],
    circular: [],
    budget: 20_000,
  }
  return show(value, walk, 0)
}

function show(value: unknown, walk: Walk, indent: number): string {
  switch (typeof value) {
    case 'string':
      return quote(value, walk.maxString)
    case 'number':
      return Object.is(value, -0) ? '-0' : String(value)
    case 'bigint':
      return `${value}n`
    case 'symbol':
      return Symbol.prototype.toString.call(value)
    case 'undefined':
    case 'boolean':
      return String(value)
    case 'function':
      return showObject(value, walk, indent)
    default:
      return value === null ? 'null' : showObject(value as object, walk, indent)
  }
}

function showObject(value: object, walk: Walk, indent: number): string {
  if (walk.seen.includes(value)) {
    if (!walk.circular.includes(value)) walk.circular.push(value)
    return `[Circular *${walk.circular.indexOf(value) + 1}]`
  }
  if (walk.budget-- <= 0) return '…'

  const custom = safely(() => (value as Record<symbol, unknown>)[inspectCustom])
  if (typeof custom === 'function' && custom !== inspect) {
    const shown: unknown = custom.call(value, walk.depth - walk.seen.length, {}, inspect)
    if (shown !== value) return typeof shown === 'string' ? shown : show(shown, walk, indent)
  }

  const frame = describe(value, walk)
  const keys = propertyKeys(value, frame.skipKeys, walk)
  if (frame.whole !== undefined && keys.length === 0) return frame.whole
  const isEmpty = keys.length === 0 && (!frame.items || sizeOf(value) === 0)
  if (walk.seen.length > walk.depth && !isEmpty) return `[${frame.name}]`

  walk.seen.push(value)
  const parts: string[] = frame.items ? frame.items(indent + 2) : []
  for (const key of keys) parts.push(showProperty(value, key, walk, indent + 2))
  walk.seen.pop()

  const at = walk.circular.indexOf(value)
  const prefix = (at >= 0 ? `<ref *${at + 1}> ` : '') + frame.prefix
  const [open, close] = frame.braces
  if (frame.whole !== undefined) return `${frame.whole} ${layOut(parts, '{', '}', walk, indent, false)}`
  return prefix + layOut(parts, open, close, walk, indent, frame.isList)
}

function sizeOf(value: object): unknown {
  return value instanceof Map || value instanceof Set ? value.size : (value as { length?: unknown }).length
}

interface Frame {
  /** The name inside brackets where depth ends. */
  name: string
  prefix: string
  braces: [string, string]
  isList: boolean
  /** Parts that are not properties: elements, entries. */
  items?: (indent: number) => string[]
  /** The whole text when there are no properties. */
  whole?: string
  skipKeys: 'indexes' | 'error' | 'none'
}

function describe(value: object, walk: Walk): Frame {
  const name = constructorName(value)
  const label = (own: string) => (name === own ? '' : `${name ?? '[null prototype]'} `)
  const frame: Frame = {
    name: name ?? 'Object: null prototype',
    prefix: '',
    braces: ['{', '}'],
    isList: false,
    skipKeys: 'none',
  }

  if (Array.isArray(value)) {
    const prefix = name === 'Array' ? '' : `${name ?? '[Array: null prototype]'}(${value.length}) `
    return {
      ...frame,
      prefix,
      braces: ['[', ']'],
      isList: true,
      skipKeys: 'indexes',
      items: (at) => listItems(value, walk, at),
    }
  }
  if (typeof value === 'function') return { ...frame, whole: showFunction(value, name) }
  if (value instanceof Error) return { ...frame, whole: showError(value, walk), skipKeys: 'error' }
  if (value instanceof Date)
    return { ...frame, whole: Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString() }
  if (value instanceof RegExp) return { ...frame, whole: RegExp.prototype.toString.call(value) }
  if (value instanceof Map) {
    const items = (at: number) =>
      limited([...value], walk, ([key, item]) => `${show(key, walk, at)} => ${show(item, walk, at)}`)
    return { ...frame, prefix: `${name}(${value.size}) `, items }
  }
  if (value instanceof Set) {
    return {
      ...frame,
      prefix: `${name}(${value.size}) `,
      items: (at) => limited([...value], walk, (item) => show(item, walk, at)),
    }
  }
  if (value instanceof ArrayBuffer) {
    const hex = [...new Uint8Array(value.slice(0, 50))].map((byte) => byte.toString(16).padStart(2, '0')).join(' ')
    const more = value.byteLength > 50 ? ` ... ${value.byteLength - 50} more bytes` : ''
    return {
      ...frame,
      prefix: 'ArrayBuffer ',
      items: () => [`[Uint8Contents]: <${hex}${more}>`, `byteLength: ${value.byteLength}`],
    }
  }
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) {
    const list = value as unknown as ArrayLike<unknown>
    return {
      ...frame,
      prefix: `${name}(${list.length}) `,
      braces: ['[', ']'],
      isList: true,
      skipKeys: 'indexes',
      items: (at) => listItems(list, walk, at),
    }
  }
  if (value instanceof Promise) return { ...frame, whole: `${name} { <pending or settled> }` }
  if (value instanceof WeakMap || value instanceof WeakSet) return { ...frame, whole: `${name} { <items unknown> }` }
  if (value instanceof Number || value instanceof String || value instanceof Boolean) {
    return { ...frame, whole: `[${name}: ${show(value.valueOf(), walk, 0)}]`, skipKeys: 'indexes' }
  }
  const tag = safely(() => (value as Record<symbol, unknown>)[Symbol.toStringTag])
  const tagged = typeof tag === 'string' && tag !== '' && tag !== name ? `[${tag}] ` : ''
  return {
    ...frame,
    prefix:
      (name === undefined ? '[Object: null prototype] ' : label('Object')) +
      (tagged && name === 'Object' ? `Object ${tagged}` : tagged),
  }
}

function listItems(list: ArrayLike<unknown>, walk: Walk, indent: number): string[] {
  const parts: string[] = []
  let holes = 0
  const flush = () => {
    if (holes > 0) parts.push(`<${holes} empty item${holes > 1 ? 's' : ''}>`)
    holes = 0
  }
  let at = 0
  for (; at < list.length && parts.length < walk.maxItems; at++) {
    if (at in list) {
      flush()
      parts.push(show(list[at], walk, indent))
    } else if (++holes > 100_000) {
      // a sparse array of a billion is shown without counting to a billion
      holes = list.length - at
      at = list.length
    }
  }
  flush()
  const left = list.length - at
  if (left > 0) parts.push(`... ${left} more item${left > 1 ? 's' : ''}`)
  return parts
}

function limited<Item>(items: Item[], walk: Walk, showItem: (item: Item) => string): string[] {
  const parts = items.slice(0, walk.maxItems).map(showItem)
  const left = items.length - parts.length
  if (left > 0) parts.push(`... ${left} more item${left > 1 ? 's' : ''}`)
  return parts
}

function propertyKeys(value: object, skip: Frame['skipKeys'], walk: Walk): (string | symbol)[] {
  const names = walk.showHidden ? Object.getOwnPropertyNames(value) : Object.keys(value)
  let keys: (string | symbol)[] =
    skip === 'indexes' ? names.filter((key) => !/^\d+$/.test(key) && key !== 'length') : names
  if (skip === 'error')
    keys = keys.filter((key) => key !== 'stack' && key !== 'message' && key !== 'name' && key !== 'cause')
  if (walk.sorted) keys.sort()
  const symbols = Object.getOwnPropertySymbols(value)
  return keys.concat(symbols.filter((key) => Object.prototype.propertyIsEnumerable.call(value, key)))
}

function showProperty(value: object, key: string | symbol, walk: Walk, indent: number): string {
  const name =
    typeof key === 'symbol' ? `[${key.toString()}]` : /^[A-Za-z_$][\w$]*$/.test(key) ? key : quote(key, walk.maxString)
  const property = Object.getOwnPropertyDescriptor(value, key)
  if (!property) return `${name}: undefined`
  if (property.get) return `${name}: ${property.set ? '[Getter/Setter]' : '[Getter]'}`
  if (property.set) return `${name}: [Setter]`
  return `${name}: ${show(property.value, walk, indent)}`
}

function showFunction(value: object, constructor: string | undefined): string {
  const text = safely(() => Function.prototype.toString.call(value)) ?? ''
  const own = safely(() => Object.getOwnPropertyDescriptor(value, 'name')?.value as unknown)
  const name = typeof own === 'string' && own !== '' ? own : undefined
  if (text.startsWith('class')) {
    const parent = safely(() => (Object.getPrototypeOf(value) as { name?: string } | null)?.name)
    return `[class ${name ?? '(anonymous)'}${parent ? ` extends ${parent}` : ''}]`
  }
  return `[${constructor ?? 'Function'}${name ? `: ${name}` : ' (anonymous)'}]`
}

function showError(error: Error, walk: Walk): string {
  const stack = safely(() => error.stack)
  let text = typeof stack === 'string' && stack !== '' ? stack : `[${safely(() => String(error)) ?? 'Error'}]`
  if (error.cause !== undefined && walk.seen.length < 5) {
    walk.seen.push(error)
    text += ` {\n  [cause]: ${show(error.cause, walk, 2)}\n}`
    walk.seen.pop()
  }
  const errors = error instanceof AggregateError ? error.errors : undefined
  if (Array.isArray(errors)) text += ` {\n  [errors]: ${show(errors, walk, 2)}\n}`
  return text
}

function layOut(parts: string[], open: string, close: string, walk: Walk, indent: number, isList: boolean): string {
  if (parts.length === 0) return open + close
  const single = `${open} ${parts.join(', ')} ${close}`
  const isShort = single.length + indent <= walk.breakLength - 4 && !single.includes('\n')
  if (isShort && (parts.length <= 6 || isList)) return single
  if (isShort && single.length <= 72) return single
  const pad = ' '.repeat(indent + 2)
  const lines =
    isList && parts.length > 6 && parts.every((part) => part.length <= 16 && !part.includes('\n'))
      ? grid(parts, walk)
      : parts
  return `${open}\n${pad}${lines.join(`,\n${pad}`)}\n${' '.repeat(indent)}${close}`
}

/** Many short elements go into columns. */
function grid(parts: string[], walk: Walk): string[] {
  const width = Math.max(...parts.map((part) => part.length)) + 2
  const columns = Math.max(
    1,
    Math.min(16, Math.floor(walk.breakLength / width), Math.ceil(Math.sqrt(parts.length * 2.5))),
  )
  const lines: string[] = []
  for (let at = 0; at < parts.length; at += columns) {
    const row = parts.slice(at, at + columns)
    lines.push(row.map((part, index) => (index < row.length - 1 ? `${part},`.padEnd(width) : part)).join(''))
  }
  return lines
}

export function quote(text: string, limit = Infinity): string {
  const shown = text.length > limit ? text.slice(0, limit) : text
  const mark = !shown.includes("'") ? "'" : !shown.includes('"') ? '"' : !shown.includes('`') ? '`' : "'"
  const escaped = shown.replace(
    /[\\\u0000-\u001f\u007f-\u009f]/g,
    (character) => escapes[character] ?? `\\x${character.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase()}`,
  )
  const left = text.length - shown.length
  return (
    mark +
    escaped.replaceAll(mark, `\\${mark}`) +
    mark +
    (left > 0 ? `... ${left} more character${left > 1 ? 's' : ''}` : '')
  )
}

const escapes: Record<string, string> = {
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\b': '\\b',
  '\f': '\\f',
  '\v': '\\v',
}

function constructorName(value: object): string | undefined {
  let at: object | null = value
  while (at) {
    const holder: object = at
    const property = safely(() => Object.getOwnPropertyDescriptor(holder, 'constructor'))
    const name: unknown =
      typeof property?.value === 'function' ? safely(() => (property.value as { name: unknown }).name) : undefined
    if (typeof name === 'string' && name !== '') return name
    at = safely(() => Object.getPrototypeOf(holder) as object | null) ?? null
  }
  return undefined
}

// a getter or a proxy of the guest may throw; showing a value must not
function safely<Result>(look: () => Result): Result | undefined {
  try {
    return look()
  } catch {
    return undefined
  }
}

/** console.log's and util.format's: %s %d %i %f %j %o %O %c, then the rest. */
export function format(args: readonly unknown[]): string {
  const [first, ...rest] = args
  if (typeof first !== 'string') return args.map(showArgument).join(' ')
  if (rest.length === 0) return first
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
      return typeof value === 'object' && value !== null
        ? inspect(value, { depth: 0 })
        : typeof value === 'bigint'
          ? `${value}n`
          : String(value)
    case '%d':
      return typeof value === 'bigint' ? `${value}n` : typeof value === 'symbol' ? 'NaN' : String(Number(value))
    case '%i':
      return typeof value === 'bigint'
        ? `${value}n`
        : typeof value === 'symbol'
          ? 'NaN'
          : String(parseInt(String(value), 10))
    case '%f':
      return typeof value === 'symbol' ? 'NaN' : String(parseFloat(String(value)))
    case '%j':
      return safely(() => JSON.stringify(value)) ?? '[Circular]'
    case '%o':
      return inspect(value, { depth: 4, showHidden: true })
    case '%O':
      return inspect(value)
    default:
      return ''
  }
}
