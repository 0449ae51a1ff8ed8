// Runs on both sides of the pipe, as frame.ts does.
import { Buffer } from 'node:buffer'
import { mapForEach, mapSet, setAdd, setForEach } from './held-methods.ts'

/**
 * What capability calls carry beyond JSON, as `{ "$": tag, "v": … }`: bytes (base64), date (ISO), bigint (digits),
 * number (NaN, Infinity, -Infinity, -0), undefined, map, set. An object with a "$" key of its own travels as tag "object".
 */
export type WireValue = null | boolean | number | string | WireValue[] | { [key: string]: WireValue }

const maxDepth = 200

/** Structured-clone data to JSON. Functions, symbols and cycles are refused, class instances lose their class. */
export function toWire(value: unknown, depth = 0): WireValue {
  if (depth > maxDepth) throw new TypeError('Cannot send a value: it is nested too deeply or contains itself')
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value
    case 'number':
      return Number.isFinite(value) && !Object.is(value, -0) ? value : { $: 'number', v: specialNumber(value) }
    case 'bigint':
      return { $: 'bigint', v: value.toString() }
    case 'undefined':
      return { $: 'undefined' }
    case 'object':
      return value === null ? null : objectToWire(value, depth + 1)
    default:
      throw new TypeError(`Cannot send a value of type ${typeof value}`)
  }
}

function specialNumber(value: number): string {
  return Object.is(value, -0) ? '-0' : String(value)
}

function objectToWire(value: object, depth: number): WireValue {
  if (Array.isArray(value)) {
    const items: WireValue[] = []
    let isJson = true
    for (let at = 0; at < value.length; at++) {
      items[at] = toWire(value[at], depth)
      isJson &&= items[at] === value[at]
    }
    return isJson ? (value as WireValue[]) : items
  }
  if (value instanceof ArrayBuffer) return { $: 'bytes', v: Buffer.from(value).toString('base64') }
  if (ArrayBuffer.isView(value)) {
    return { $: 'bytes', v: Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64') }
  }
  if (value instanceof Date) return { $: 'date', v: Number.isNaN(value.getTime()) ? '' : value.toISOString() }
  if (value instanceof Map) {
    const pairs: WireValue[] = []
    mapForEach(value, (item, key) => (pairs[pairs.length] = [toWire(key, depth), toWire(item, depth)]))
    return { $: 'map', v: pairs }
  }
  if (value instanceof Set) {
    const items: WireValue[] = []
    setForEach(value, (item) => (items[items.length] = toWire(item, depth)))
    return { $: 'set', v: items }
  }

  const keys = Object.keys(value)
  const wires: WireValue[] = []
  // most values are JSON as they are, and to copy a wide one costs more than the rest of its way
  let isJson = isPlain(value) && !Object.hasOwn(value, '$')
  for (let at = 0; at < keys.length; at++) {
    const item = (value as Record<string, unknown>)[keys[at] as string]
    wires[at] = toWire(item, depth)
    isJson &&= item === wires[at]
  }
  if (isJson) return value as WireValue
  const plain: { [key: string]: WireValue } = {}
  for (let at = 0; at < keys.length; at++) {
    const wire = wires[at] as WireValue
    // an absent property and an undefined one mean the same to a caller
    if (!isUndefined(wire)) define(plain, keys[at] as string, wire)
  }
  return Object.hasOwn(plain, '$') ? { $: 'object', v: plain } : plain
}

function isUndefined(wire: WireValue): boolean {
  return wire !== null && typeof wire === 'object' && !Array.isArray(wire) && wire['$'] === 'undefined'
}

// what a class makes of itself by toJSON() is no matter of the wire
function isPlain(value: object): value is { [key: string]: WireValue } {
  const prototype: unknown = Object.getPrototypeOf(value)
  return (prototype === Object.prototype || prototype === null) && !Object.hasOwn(value, 'toJSON')
}

/** JSON back to values. Unknown tags are refused: they come from the other side. */
export function fromWire(value: unknown, depth = 0): unknown {
  if (depth > maxDepth) throw new TypeError('Cannot read a value: it is nested too deeply')
  if (value === null || typeof value !== 'object') return value
  if (Array.isArray(value)) {
    const items: unknown[] = []
    for (let at = 0; at < value.length; at++) items[at] = fromWire(value[at], depth + 1)
    return items
  }
  if (!Object.hasOwn(value, '$')) return plainFromWire(value, depth + 1)

  const { $: tag, v } = value as { $: unknown; v?: unknown }
  if (tag === 'undefined') return undefined
  if (tag === 'object' && v !== null && typeof v === 'object') return plainFromWire(v, depth + 1)
  if (tag === 'map' && Array.isArray(v)) {
    const map = new Map<unknown, unknown>()
    for (let at = 0; at < v.length; at++) {
      const pair = fromWire(v[at], depth + 1) as [unknown, unknown]
      mapSet(map, pair[0], pair[1])
    }
    return map
  }
  if (tag === 'set' && Array.isArray(v)) {
    const set = new Set<unknown>()
    for (let at = 0; at < v.length; at++) setAdd(set, fromWire(v[at], depth + 1))
    return set
  }
  if (typeof v === 'string') {
    if (tag === 'bytes') return new Uint8Array(Buffer.from(v, 'base64'))
    if (tag === 'date') return new Date(v)
    if (tag === 'number') return Number(v)
    // digits are bounded: parsing a long bigint is quadratic
    if (tag === 'bigint' && /^-?\d{1,4096}$/.test(v)) return BigInt(v)
  }
  throw new TypeError('Cannot read a value: unknown tag')
}

function plainFromWire(value: object, depth: number): Record<string, unknown> {
  const plain: Record<string, unknown> = {}
  const keys = Object.keys(value)
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at] as string
    define(plain, key, fromWire((value as Record<string, unknown>)[key], depth))
  }
  return plain
}

// assignment to "__proto__" would change the prototype instead of making a property
function define(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })
}
