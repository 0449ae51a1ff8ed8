import { DOMException } from './events.ts'

const errors = { Error, EvalError, RangeError, ReferenceError, SyntaxError, TypeError, URIError }

/** The standard's copy, with cycles and shared parts kept. Functions, symbols and the like cannot be copied. */
export function structuredClone(value: unknown, options: { transfer?: unknown[] } = {}): unknown {
  const copies = new Map<object, object>()
  const copied = copy(value, copies)
  for (const item of options.transfer ?? []) if (item instanceof ArrayBuffer) item.transfer()
  return copied
}

function copy(value: unknown, copies: Map<object, object>): unknown {
  if (typeof value === 'function' || typeof value === 'symbol') {
    throw new DOMException(`${String(value)} could not be cloned.`, 'DataCloneError')
  }
  if (typeof value !== 'object' || value === null) return value
  const known = copies.get(value)
  if (known) return known
  const keep = <Copy extends object>(made: Copy): Copy => {
    copies.set(value, made)
    return made
  }

  if (value instanceof Date) return keep(new Date(value.getTime()))
  if (value instanceof RegExp) return keep(new RegExp(value.source, value.flags))
  if (value instanceof Number || value instanceof String || value instanceof Boolean)
    return keep(Object(value.valueOf()) as object)
  if (value instanceof ArrayBuffer) return keep(value.slice(0))
  if (ArrayBuffer.isView(value)) {
    const buffer = copy(value.buffer, copies) as ArrayBuffer
    const View = value.constructor as new (buffer: ArrayBuffer, offset: number, length?: number) => object
    return keep(
      new View(buffer, value.byteOffset, value instanceof DataView ? value.byteLength : (value as Uint8Array).length),
    )
  }
  if (value instanceof Map) {
    const map = keep(new Map<unknown, unknown>())
    for (const [key, item] of [...value]) map.set(copy(key, copies), copy(item, copies))
    return map
  }
  if (value instanceof Set) {
    const set = keep(new Set<unknown>())
    for (const item of [...value]) set.add(copy(item, copies))
    return set
  }
  if (value instanceof Error) {
    const Kind = errors[value.name as keyof typeof errors] ?? Error
    const error = keep(new Kind(value.message))
    if (typeof value.stack === 'string')
      Object.defineProperty(error, 'stack', { value: value.stack, writable: true, configurable: true })
    if (value.cause !== undefined)
      Object.defineProperty(error, 'cause', { value: copy(value.cause, copies), writable: true, configurable: true })
    return error
  }
  if (value instanceof Promise || value instanceof WeakMap || value instanceof WeakSet || value instanceof WeakRef) {
    throw new DOMException(`${Object.prototype.toString.call(value)} could not be cloned.`, 'DataCloneError')
  }
  const made = keep(Array.isArray(value) ? new Array(value.length) : {})
  for (const key of Object.keys(value)) {
    Object.defineProperty(made, key, {
      value: copy((value as Record<string, unknown>)[key], copies),
      writable: true,
      configurable: true,
      enumerable: true,
    })
  }
  return made
}
