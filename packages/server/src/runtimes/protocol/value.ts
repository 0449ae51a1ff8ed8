// Runs on both sides of the pipe, as frame.ts does.
import { Buffer } from 'node:buffer'

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
    const items = Array.from(value, (item) => toWire(item, depth))
    return items.every((item, at) => item === value[at]) ? (value as WireValue[]) : items
  }
  if (value instanceof ArrayBuffer) return { $: 'bytes', v: Buffer.from(value).toString('base64') }
  if (ArrayBuffer.isView(value)) {
    return { $: 'bytes', v: Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64') }
  }
  if (value instanceof Date) return { $: 'date', v: Number.isNaN(value.getTime()) ? '' : value.toISOString() }
  if (value instanceof Map) {
    return { $: 'map', v: [...value].map(([key, item]) => [toWire(key, depth), toWire(item, depth)]) }
  }
  if (value instanceof Set) return { $: 'set', v: [...value].map((item) => toWire(item, depth)) }

  const entries = Object.entries(value).map(([key, item]) => ({ key, item, wire: toWire(item, depth) }))
  // most values are JSON as they are, and to copy a wide one costs more than the rest of its way
  const isJson = isPlain(value) && entries.every(({ item, wire }) => item === wire)
  if (isJson && !Object.hasOwn(value, '$')) return value
  const plain: { [key: string]: WireValue } = {}
  for (const { key, item, wire } of entries) {
    // an absent property and an undefined one mean the same to a caller
    if (item !== undefined) define(plain, key, wire)
  }
  return Object.hasOwn(plain, '$') ? { $: 'object', v: plain } : plain
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
  if (Array.isArray(value)) return value.map((item) => fromWire(item, depth + 1))
  if (!Object.hasOwn(value, '$')) return plainFromWire(value, depth + 1)

  const { $: tag, v } = value as { $: unknown; v?: unknown }
  if (tag === 'undefined') return undefined
  if (tag === 'object' && v !== null && typeof v === 'object') return plainFromWire(v, depth + 1)
  if (tag === 'map' && Array.isArray(v)) {
    return new Map(v.map((pair: unknown) => fromWire(pair, depth + 1)).map((pair) => pair as [unknown, unknown]))
  }
  if (tag === 'set' && Array.isArray(v)) return new Set(v.map((item: unknown) => fromWire(item, depth + 1)))
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
  for (const [key, item] of Object.entries(value)) define(plain, key, fromWire(item, depth))
  return plain
}

// assignment to "__proto__" would change the prototype instead of making a property
function define(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })
}
