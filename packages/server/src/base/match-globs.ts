// some 150 ms at the most; honest patterns over ten thousand files need a tenth of it
const maxSteps = 30_000_000

// a character moves all places, then passes wildcards twice
const stepsEach = 3

const slash = 0x2f

/**
 * Whether a path matches one of the patterns. `*` and `?` stay within a name, `**` crosses directories. No regular
 * expression and no expansion: callers write these, and the server reads them. All paths share one bound of work; what
 * `whenSpent` says holds for every path that is left when it is used up.
 */
export function createGlobMatcher(
  patterns: readonly string[],
  whenSpent: () => boolean = () => false,
): (path: string) => boolean {
  const compiled = patterns.map(compile)
  let steps = maxSteps
  return (path) => {
    for (const pattern of compiled) {
      steps--
      if (steps < 0) return whenSpent()
      if (!path.startsWith(pattern.head) || !path.endsWith(pattern.tail)) continue
      steps -= path.length * stepsEach * (pattern.words + 1)
      if (steps < 0) return whenSpent()
      if (matches(pattern, path)) return true
    }
    return false
  }
}

type Token = { kind: 'text'; character: string } | { kind: 'one' | 'some' | 'any' | 'directories' }

/** A pattern as sets of its places, one bit for each: all places where a match may stand are moved at once. */
interface Compiled {
  /** What every match begins and ends with: most paths are refused by it alone. */
  head: string
  tail: string
  /** How many words a set takes. */
  words: number
  end: number
  /** Places that a character leaves for the next one. */
  text: Map<number, Int32Array>
  one: Int32Array
  /** Places that a character leaves alone: within a name, and anywhere. */
  some: Int32Array
  any: Int32Array
  /** Wildcards that may stand for nothing: always, and where a name begins. */
  skipped: Int32Array
  skippedAtName: Int32Array
}

function compile(pattern: string): Compiled {
  const tokens = parsePattern(pattern)
  const words = (tokens.length >>> 5) + 1
  const places = (...kinds: Token['kind'][]) => {
    const set = new Int32Array(words)
    for (const [at, { kind }] of tokens.entries()) if (kinds.includes(kind)) add(set, at)
    return set
  }
  const text = new Map<number, Int32Array>()
  for (const [at, token] of tokens.entries()) {
    if (token.kind !== 'text') continue
    const code = token.character.charCodeAt(0)
    const set = text.get(code) ?? new Int32Array(words)
    add(set, at)
    text.set(code, set)
  }
  return {
    head: literal(tokens.slice(0, wildcardAt(tokens))),
    tail: literal(tokens.slice(tokens.length - wildcardAt(tokens.toReversed()))),
    words,
    end: tokens.length,
    text,
    one: places('one'),
    some: places('some', 'any', 'directories'),
    any: places('any', 'directories'),
    skipped: places('some', 'any'),
    skippedAtName: places('some', 'any', 'directories'),
  }
}

function parsePattern(pattern: string): Token[] {
  // "**" of directories twice in a row says the same as once
  const found = pattern.replace(/^\.?\//, '').match(/(?:\*\*\/)+|\*+|\?|[^*?]/g) ?? []
  return found.map((token): Token => {
    if (token.endsWith('*/')) return { kind: 'directories' }
    if (token === '*') return { kind: 'some' }
    if (token === '?') return { kind: 'one' }
    return token.startsWith('**') ? { kind: 'any' } : { kind: 'text', character: token }
  })
}

function wildcardAt(tokens: Token[]): number {
  const at = tokens.findIndex(({ kind }) => kind !== 'text')
  return at < 0 ? tokens.length : at
}

function literal(tokens: Token[]): string {
  return tokens.map((token) => (token.kind === 'text' ? token.character : '')).join('')
}

/** One character of the path after the other: the time is a product, never a power. */
function matches(pattern: Compiled, path: string): boolean {
  const { words, text, one, some, any, skipped, skippedAtName } = pattern
  const standing = new Int32Array(words)
  add(standing, 0)
  skip(standing, skippedAtName)
  for (let at = 0; at < path.length; at++) {
    const code = path.charCodeAt(at)
    const isSlash = code === slash
    const taken = text.get(code)
    const stays = isSlash ? any : some
    let carry = 0
    let alive = 0
    for (let word = 0; word < words; word++) {
      const from = standing[word] as number
      const moved = from & ((taken?.[word] ?? 0) | (isSlash ? 0 : (one[word] as number)))
      const next = (moved << 1) | carry | (from & (stays[word] as number))
      carry = moved >>> 31
      standing[word] = next
      alive |= next
    }
    if (alive === 0) return false
    skip(standing, isSlash ? skippedAtName : skipped)
  }
  return has(standing, pattern.end)
}

/** Stands behind wildcards as well where they may stand for nothing. No more than two are next to each other, the first of directories. */
function skip(standing: Int32Array, wildcards: Int32Array): void {
  for (let round = 0; round < 2; round++) {
    let carry = 0
    for (let word = 0; word < standing.length; word++) {
      const passed = (standing[word] as number) & (wildcards[word] as number)
      standing[word] = (standing[word] as number) | (passed << 1) | carry
      carry = passed >>> 31
    }
  }
}

function add(set: Int32Array, place: number): void {
  set[place >>> 5] = (set[place >>> 5] as number) | (1 << (place & 31))
}

function has(set: Int32Array, place: number): boolean {
  return ((set[place >>> 5] as number) & (1 << (place & 31))) !== 0
}
