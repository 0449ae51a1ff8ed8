// Runs in guests, of the isolate too: what the host's `refuseJson` would take for an attack is told to whoever makes it by mistake.
import { setAdd, setSize } from './held-methods.ts'
import type { WireValue } from './value.ts'

/** The message around a value has a few parts and keys of its own, and is one deep. */
const most = {
  depth: 200 - 1,
  parts: 1_000_000 - 10,
  keys: 20_000 - 10,
  keyWeight: 500_000 - 10,
  bare: 8_000_000 - 1000,
}
// keys of wide objects are slow to walk
const wideFrom = 100
const wideWeight = 5

interface Count {
  parts: number
  keys: Set<string>
  keyWeight: number
  /** Characters outside of strings. */
  bare: number
}

/** Why the host would not read a message with these values, as the end of a sentence about them; undefined when it would. */
export function refuseValues(values: WireValue): string | undefined {
  return look(values, 1, { parts: 0, keys: new Set(), keyWeight: 0, bare: 0 })
}

function look(value: WireValue, depth: number, count: Count): string | undefined {
  if (typeof value === 'string') return undefined
  if (value === null || typeof value !== 'object') {
    count.bare += String(value).length
    return undefined
  }
  if (depth > most.depth) return `are nested more than ${most.depth} deep`
  const keys = Array.isArray(value) ? [] : Object.keys(value)
  const items = Array.isArray(value) ? value : Object.values(value)
  // a part is what has a comma before it, or brackets
  count.parts += Math.max(items.length, 1)
  // brackets, commas and colons
  count.bare += 2 + items.length + keys.length
  if (count.parts > most.parts) return `have more than ${most.parts} parts`
  count.keyWeight += keys.length > wideFrom ? keys.length * wideWeight : keys.length
  if (count.keyWeight > most.keyWeight)
    return `have more than ${most.keyWeight} keys, wide objects counted ${wideWeight} times`
  for (let at = 0; at < keys.length; at++) {
    setAdd(count.keys, keys[at] as string)
    if (setSize(count.keys) > most.keys) return `have more than ${most.keys} different keys`
  }
  for (let at = 0; at < items.length; at++) {
    const refusal = look(items[at] as WireValue, depth + 1, count)
    if (refusal !== undefined) return refusal
  }
  return count.bare > most.bare ? `have more than ${most.bare} characters outside of strings` : undefined
}
