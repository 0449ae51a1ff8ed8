// How console, node:util and the REPL-like parts show a value: as Node does, for the values an isolate has.
import { layOut } from './lay-out.ts'

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
  /** How deep the object is that was shown last: what holds more than two levels is not put on one line. */
  enteredLevel: number
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
    enteredLevel: 0,
    budget: 20_000,
  }
  return show(value, walk, 0)
}

function show(value: unknown, walk: Walk, indent: number): string {
  switch (typeof value) {
    case 'string':
      return showString(value, walk, indent)
    case 'number':
      return showNumber(value)
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

export function showNumber(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value)
}

/** A long text of several lines is shown line by line. */
function showString(value: string, walk: Walk, indent: number): string {
  const isLong = value.length > 16 && value.length > walk.breakLength - indent - 4
  if (!isLong || value.length > walk.maxString) return quote(value, walk.maxString)
  return value
    .split(/(?<=\n)/)
    .map((line) => quote(line))
    .join(` +\n${' '.repeat(indent + 2)}`)
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

  const frame = describe(value, walk, indent)
  const keys = propertyKeys(value, frame.skipKeys, walk)
  if (frame.whole !== undefined && keys.length === 0 && !frame.items) return frame.whole
  const isEmpty = keys.length === 0 && (!frame.items || sizeOf(value) === 0)
  const level = walk.seen.length
  if (level > walk.depth && !isEmpty) return `[${frame.name}]`

  walk.seen.push(value)
  if (!isEmpty) walk.enteredLevel = level
  const items = frame.items ? frame.items(indent + 2) : []
  const properties = keys.map((key) => showProperty(value, key, walk, indent + 2))
  // an error's causes come last, for they may be long
  const parts = frame.skipKeys === 'error' ? [...properties, ...items] : [...items, ...properties]
  walk.seen.pop()

  const at = walk.circular.indexOf(value)
  const reference = at >= 0 ? `<ref *${at + 1}> ` : ''
  const [open, close] = frame.braces
  const base = reference + (frame.whole === undefined ? '' : `${frame.whole} `)
  const list = frame.isList ? (value as ArrayLike<unknown>) : undefined
  return layOut(parts, { base, open: frame.prefix + open, close, list, level }, walk, indent)
}

function sizeOf(value: object): unknown {
  if (value instanceof DataView || value instanceof ArrayBuffer) return 1
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

function describe(value: object, walk: Walk, indent: number): Frame {
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
  if (value instanceof Error) {
    const causes = causesOf(value)
    const items = (at: number) => causes.map(([key, cause]) => `[${key}]: ${show(cause, walk, at)}`)
    return { ...frame, whole: showError(value, name, indent), skipKeys: 'error', ...(causes.length > 0 && { items }) }
  }
  if (value instanceof Date)
    return { ...frame, whole: Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString() }
  if (value instanceof RegExp) return { ...frame, whole: RegExp.prototype.toString.call(value) }
  if (value instanceof Map) {
    const items = (at: number) =>
      limited(value, value.size, walk, ([key, item]) => `${show(key, walk, at)} => ${show(item, walk, at)}`)
    return { ...frame, prefix: sized(name, 'Map', value.size), items }
  }
  if (value instanceof Set) {
    return {
      ...frame,
      prefix: sized(name, 'Set', value.size),
      items: (at) => limited(value, value.size, walk, (item) => show(item, walk, at)),
    }
  }
  if (value instanceof ArrayBuffer) {
    const hex = [...new Uint8Array(value.slice(0, 50))].map((byte) => byte.toString(16).padStart(2, '0')).join(' ')
    const more = value.byteLength > 50 ? ` ... ${value.byteLength - 50} more bytes` : ''
    return {
      ...frame,
      prefix: 'ArrayBuffer ',
      items: () => [`[Uint8Contents]: <${hex}${more}>`, `[byteLength]: ${value.byteLength}`],
    }
  }
  if (ArrayBuffer.isView(value) && !(value instanceof DataView)) {
    const list = value as unknown as ArrayLike<unknown>
    return {
      ...frame,
      prefix: sized(name, tagOf(value), list.length),
      braces: ['[', ']'],
      isList: true,
      skipKeys: 'indexes',
      items: (at) => listItems(list, walk, at),
    }
  }
  if (value instanceof DataView) {
    const items = (at: number) =>
      (['byteLength', 'byteOffset', 'buffer'] as const).map((key) => `[${key}]: ${show(value[key], walk, at)}`)
    return { ...frame, prefix: `${name} `, items }
  }
  if (value instanceof Promise) return { ...frame, whole: `${name} { <pending or settled> }` }
  if (value instanceof WeakMap || value instanceof WeakSet) return { ...frame, whole: `${name} { <items unknown> }` }
  if (
    value instanceof Number ||
    value instanceof String ||
    value instanceof Boolean ||
    value instanceof Symbol ||
    value instanceof BigInt
  ) {
    return { ...frame, whole: `[${name}: ${show(value.valueOf(), walk, 0)}]`, skipKeys: 'indexes' }
  }
  const tag = safely(() => (value as Record<symbol, unknown>)[Symbol.toStringTag])
  // as those of Intl and Temporal, whose tag is the class with where it is from
  if (typeof tag === 'string' && tag.endsWith(`.${name}`)) return { ...frame, prefix: `${tag} ` }
  const tagged = typeof tag === 'string' && tag !== '' && tag !== name ? `[${tag}] ` : ''
  return {
    ...frame,
    prefix:
      (name === undefined ? '[Object: null prototype] ' : label('Object')) +
      (tagged && name === 'Object' ? `Object ${tagged}` : tagged),
  }
}

/** What stands before the parts of a collection: its class, and what it is where the class does not say so. */
function sized(name: string | undefined, kind: string, size: number): string {
  if (name === undefined) return `[${kind}(${size}): null prototype] `
  return `${name}(${size}) ${name === kind || name === 'Buffer' ? '' : `[${kind}] `}`
}

/** The kind of a typed array, whatever class it is of. */
function tagOf(view: object): string {
  return String(Reflect.get(Object.getPrototypeOf(Uint8Array.prototype) as object, Symbol.toStringTag, view))
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

function limited<Item>(items: Iterable<Item>, size: number, walk: Walk, showItem: (item: Item) => string): string[] {
  const parts: string[] = []
  // a copy of them all may be more than there is room for
  for (const item of items) {
    if (parts.length >= walk.maxItems) break
    parts.push(showItem(item))
  }
  const left = size - parts.length
  if (left > 0) parts.push(`... ${left} more item${left > 1 ? 's' : ''}`)
  return parts
}

function propertyKeys(value: object, skip: Frame['skipKeys'], walk: Walk): (string | symbol)[] {
  const names = walk.showHidden ? Object.getOwnPropertyNames(value) : Object.keys(value)
  let keys: (string | symbol)[] =
    skip === 'indexes' ? names.filter((key) => !/^\d+$/.test(key) && (key !== 'length' || Array.isArray(value))) : names
  if (skip === 'error')
    keys = keys.filter((key) => !['stack', 'message', 'name', 'cause', 'errors'].includes(String(key)))
  if (walk.sorted) keys.sort()
  const symbols = Object.getOwnPropertySymbols(value)
  return keys.concat(symbols.filter((key) => Object.prototype.propertyIsEnumerable.call(value, key)))
}

function showProperty(value: object, key: string | symbol, walk: Walk, indent: number): string {
  const name =
    typeof key === 'symbol'
      ? key.toString()
      : key === '__proto__'
        ? "['__proto__']"
        : /^[A-Za-z_$][\w$]*$/.test(key)
          ? key
          : quote(key, walk.maxString)
  const property = Object.getOwnPropertyDescriptor(value, key)
  if (!property) return `${name}: undefined`
  return `${property.enumerable ? name : `[${typeof key === 'symbol' ? name : key}]`}: ${showValue(property, walk, indent)}`
}

function showValue(property: PropertyDescriptor, walk: Walk, indent: number): string {
  if (property.get) return property.set ? '[Getter/Setter]' : '[Getter]'
  return property.set ? '[Setter]' : show(property.value, walk, indent)
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

function showError(error: Error, constructor: string | undefined, indent: number): string {
  const told = safely(() => error.stack)
  if (typeof told !== 'string' || told === '') return `[${safely(() => String(error)) ?? 'Error'}]`
  const stack = withClass(told, constructor, safely(() => error.name) ?? '')
  return indent === 0 ? stack : stack.replaceAll('\n', `\n${' '.repeat(indent)}`)
}

/** A class that gives its errors no name of their own is told all the same. */
function withClass(stack: string, constructor: string | undefined, name: unknown): string {
  if (constructor === undefined || constructor === name) return stack
  if (typeof name !== 'string' || !name.endsWith('Error') || !stack.startsWith(name)) return stack
  const rest = stack.slice(name.length)
  if (!/^(?:[:\n]|$)/.test(rest)) return stack
  return (constructor.includes(name) ? constructor : `${constructor} [${name}]`) + rest
}

function causesOf(error: Error): [string, unknown][] {
  const causes: [string, unknown][] = []
  const cause = safely(() => error.cause)
  if (cause !== undefined) causes.push(['cause', cause])
  const errors = error instanceof AggregateError ? safely(() => error.errors as unknown) : undefined
  if (Array.isArray(errors)) causes.push(['errors', errors])
  return causes
}

export function quote(text: string, limit = Infinity): string {
  const shown = text.length > limit ? text.slice(0, limit) : text
  const mark = !shown.includes("'") ? "'" : !shown.includes('"') ? '"' : !shown.includes('`') ? '`' : "'"
  const escaped = shown.replace(
    /[\\\u0000-\u001f\u007f-\u009f]|\p{Surrogate}/gu,
    (character) => escapes[character] ?? escapeCode(character.charCodeAt(0)),
  )
  const left = text.length - shown.length
  return (
    mark +
    escaped.replaceAll(mark, `\\${mark}`) +
    mark +
    (left > 0 ? `... ${left} more character${left > 1 ? 's' : ''}` : '')
  )
}

function escapeCode(code: number): string {
  return code > 0xff ? `\\u${code.toString(16)}` : `\\x${code.toString(16).padStart(2, '0').toUpperCase()}`
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
export function safely<Result>(look: () => Result): Result | undefined {
  try {
    return look()
  } catch {
    return undefined
  }
}
