import { randomBytes } from 'node:crypto'

const maxDepth = 200
const maxItems = 1_000_000
// names that differ cost far more than values do: each is looked up whenever the value is walked
const maxKeys = 20_000
// walked half a dozen times on the way of a run; in a wide object each key costs several times as much
const maxKeyWeight = 500_000
const wideFrom = 100
const wideWeight = 5
// brackets, numbers and blanks; more than this is no text that anyone wrote
const maxBare = 8_000_000

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const colon = 0x3a
const bare = new Set([...'[]{}:,+-.0123456789eEtrufalsn \t\r\n'].map((character) => character.charCodeAt(0)))
const isBare = Uint8Array.from({ length: 256 }, (_, byte) => (bare.has(byte) ? 1 : 0))

/**
 * Why a JSON text of a stranger must not be parsed here; undefined when it may. Parsing a million brackets inside each other takes
 * seconds, and whatever walks the value afterwards runs out of stack.
 */
export function refuseJson(text: Uint8Array): string | undefined {
  let depth = 0
  let items = 0
  let bareBytes = 0
  let keys = 0
  let keyWeight = 0
  keysAt[0] = 0
  for (let at = 0; at < text.length; at++) {
    const byte = text[at] as number
    if (byte === quote) {
      at = endOfString(text, at)
      continue
    }
    // whatever the parser would stop at ends the search as well
    if (isBare[byte] === 0) return undefined
    if (++bareBytes > maxBare) return `it has more than ${maxBare} characters outside of strings`
    if (byte === 0x5b || byte === 0x7b) {
      items++
      if (++depth > maxDepth) return `it is nested more than ${maxDepth} deep`
      keysAt[depth] = 0
    } else if (byte === 0x5d || byte === 0x7d) {
      const own = keysAt[depth] ?? 0
      keyWeight += own > wideFrom ? own * wideWeight : own
      depth--
    } else if (byte === comma) {
      items++
    } else if (byte === colon) {
      keys++
      keysAt[depth]!++
    }
    if (keyWeight > maxKeyWeight) return tooManyKeys
    if (items > maxItems) return `it has more than ${maxItems} parts`
  }
  return keys > maxKeys && hasManyKeys(text) ? `it has more than ${maxKeys} different keys` : undefined
}

const tooManyKeys = `it has more than ${maxKeyWeight} keys, where one of an object with more than ${wideFrom} counts as ${wideWeight}`
/** Keys of the object that is open at each depth. One for all: a text is read without a pause. */
const keysAt = new Uint32Array(maxDepth + 1)

// unknown to whoever sends keys, who might else choose those that count as one
const seed = randomBytes(4).readInt32LE()
const slotBits = 22

/** Counts the keys that differ, by a hash: some pairs of them count as one, which is near enough. */
function hasManyKeys(text: Uint8Array): boolean {
  const slots = new Uint8Array(1 << (slotBits - 3))
  let count = 0
  let last = { start: 0, end: 0 }
  for (let at = 0; at < text.length && count <= maxKeys; at++) {
    const byte = text[at]
    if (byte === quote) {
      const end = endOfString(text, at)
      last = { start: at + 1, end }
      at = end
    } else if (byte === colon) {
      const slot = hashOf(text, last) >>> (32 - slotBits)
      const bit = 1 << (slot & 7)
      if ((slots[slot >> 3]! & bit) === 0) count++
      slots[slot >> 3]! |= bit
    }
  }
  return count > maxKeys
}

function hashOf(text: Uint8Array, { start, end }: { start: number; end: number }): number {
  let hash = seed
  // FNV-1a, and a last step that brings what differs into the upper bits
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ (text[at] as number), 0x01000193)
  return Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d)
}

// strings are most of a large message, and a native search passes over them quickly
function endOfString(text: Uint8Array, start: number): number {
  for (let end = text.indexOf(quote, start + 1); end >= 0; end = text.indexOf(quote, end + 1)) {
    let slashes = 0
    while (text[end - 1 - slashes] === backslash) slashes++
    if (slashes % 2 === 0) return end
  }
  return text.length
}
