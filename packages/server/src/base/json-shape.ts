const maxDepth = 200
const maxItems = 1_000_000
// brackets, numbers and blanks; more than this is no text that anyone wrote
const maxBare = 8_000_000

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
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
    } else if (byte === 0x5d || byte === 0x7d) {
      depth--
    } else if (byte === comma) {
      items++
    }
    if (items > maxItems) return `it has more than ${maxItems} parts`
  }
  return undefined
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
