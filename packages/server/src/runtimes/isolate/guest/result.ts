import { mapForEach, setAdd, setForEach, setSize } from '../../protocol/held-methods.ts'

/** Deeper parts of a result are shown by their kind only. */
const maxDepth = 100

/** The server reads no message of more; the frame around a result has a few of its own. */
const maxParts = 1_000_000 - 10
const maxKeys = 20_000 - 10
const maxKeyWeight = 500_000 - 10
// keys of wide objects are slow to walk
const wideFrom = 100
const wideWeight = 5

/** The result is too large to hand back. */
export class ResultError extends Error {
  override readonly name = 'ResultError'
}

/**
 * A value as JSON text, undefined for what JSON has no word for. Beyond JSON.stringify: bigint as digits, a map as an object or
 * as pairs, a set and typed arrays as arrays, errors as name and message, cycles as "[Circular]".
 */
export function encodeResult(value: unknown, maxBytes: number): string | undefined {
  const walk: Walk = { seen: [], left: maxBytes, maxBytes, partsLeft: maxParts, keys: new Set(), keyWeight: 0 }
  return encode(value, '', walk)
}

interface Walk {
  seen: object[]
  left: number
  maxBytes: number
  partsLeft: number
  /** The different ones. */
  keys: Set<string>
  keyWeight: number
}

function encode(given: unknown, key: string, walk: Walk): string | undefined {
  countPart(walk)
  let value = given
  if (typeof value === 'object' && value !== null) {
    const { toJSON } = value as { toJSON?: unknown }
    if (typeof toJSON === 'function') value = Reflect.apply(toJSON, value, [key])
  }
  switch (typeof value) {
    case 'string':
      return spend(JSON.stringify(value), walk)
    case 'number':
    case 'boolean':
      return spend(JSON.stringify(value), walk)
    case 'bigint':
      return spend(`"${value}"`, walk)
    case 'object':
      return value === null ? spend('null', walk) : encodeObject(value, walk)
    default:
      return undefined
  }
}

function encodeObject(value: object, walk: Walk): string {
  if (isSeen(value, walk.seen)) return spend('"[Circular]"', walk)
  if (walk.seen.length >= maxDepth) return spend(Array.isArray(value) ? '"[Array]"' : '"[Object]"', walk)
  walk.seen[walk.seen.length] = value
  const text = encodeParts(value, walk)
  walk.seen.length--
  return text
}

function isSeen(value: object, seen: object[]): boolean {
  for (let at = 0; at < seen.length; at++) if (seen[at] === value) return true
  return false
}

function encodeParts(value: object, walk: Walk): string {
  if (Array.isArray(value)) return list(value, walk)
  if (value instanceof Set) {
    const items: unknown[] = []
    setForEach(value, (item) => (items[items.length] = item))
    return list(items, walk)
  }
  if (value instanceof Map) {
    const pairs: [unknown, unknown][] = []
    let isNamed = true
    mapForEach(value, (item, key) => {
      if (typeof key !== 'string') isNamed = false
      pairs[pairs.length] = [key, item]
    })
    return isNamed ? record(pairs as [string, unknown][], walk) : list(pairs, walk)
  }
  if (value instanceof ArrayBuffer) return list(new Uint8Array(value), walk)
  if (ArrayBuffer.isView(value) && !(value instanceof DataView))
    return list(value as unknown as ArrayLike<unknown>, walk)
  if (value instanceof Error) {
    return record(
      entriesOf(value, [
        ['name', value.name],
        ['message', value.message],
      ]),
      walk,
    )
  }
  if (value instanceof Number || value instanceof String || value instanceof Boolean)
    return encode(value.valueOf(), '', walk) ?? 'null'
  return record(entriesOf(value, []), walk)
}

/** Behind those that are there already, the first of which is not repeated. */
function entriesOf(value: object, entries: [string, unknown][]): [string, unknown][] {
  const first = entries[0]?.[0]
  const keys = Object.keys(value)
  for (let at = 0; at < keys.length; at++) {
    const key = keys[at] as string
    if (key !== first) entries[entries.length] = [key, (value as Record<string, unknown>)[key]]
  }
  return entries
}

function list(items: ArrayLike<unknown>, walk: Walk): string {
  let text = ''
  for (let at = 0; at < items.length; at++) {
    const part = encode(items[at], String(at), walk) ?? spend('null', walk)
    text += at === 0 ? part : `,${part}`
  }
  if (text === '') countPart(walk)
  return `[${text}]`
}

function record(entries: [string, unknown][], walk: Walk): string {
  walk.keyWeight += entries.length > wideFrom ? entries.length * wideWeight : entries.length
  if (walk.keyWeight > maxKeyWeight)
    throw new ResultError(
      `The result has more than ${maxKeyWeight} keys, wide objects counted ${wideWeight} times; write it to a file instead`,
    )
  let text = ''
  for (let at = 0; at < entries.length; at++) {
    const entry = entries[at] as [string, unknown]
    const key = entry[0]
    const part = encode(entry[1], key, walk)
    if (part !== undefined) text += `${text === '' ? '' : ','}${spend(JSON.stringify(key), walk)}:${part}`
    setAdd(walk.keys, key)
    if (setSize(walk.keys) > maxKeys)
      throw new ResultError(`The result has more than ${maxKeys} different keys; write it to a file instead`)
  }
  if (text === '') countPart(walk)
  return `{${text}}`
}

/** A part is what has a comma before it, or brackets with nothing in them. */
function countPart(walk: Walk): void {
  if (--walk.partsLeft < 0)
    throw new ResultError(`The result has more than ${maxParts} parts; write it to a file instead`)
}

function spend(text: string, walk: Walk): string {
  // two more for a comma and a colon; counted in UTF-16 units, which is close enough for a bound
  walk.left -= text.length + 2
  if (walk.left < 0)
    throw new ResultError(`The result is larger than ${walk.maxBytes} bytes; write it to a file instead`)
  return text
}
