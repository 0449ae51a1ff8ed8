// far above what honest patterns need; a hundred hostile ones over ten thousand files would take the server hours
const maxSteps = 1_000_000

/**
 * Whether a path matches one of the patterns. `*` and `?` stay within a name, `**` crosses directories. No regular
 * expression and no expansion: callers write these, and the server reads them. All paths share one bound of work.
 */
export function createGlobMatcher(patterns: readonly string[]): (path: string) => boolean {
  const parsed = patterns.map(parsePattern)
  const budget = { steps: maxSteps }
  return (path) => parsed.some((pattern) => matches(pattern, path, budget))
}

type Token = { kind: 'text'; character: string } | { kind: 'one' | 'some' | 'any' | 'directories' }

function parsePattern(pattern: string): Token[] {
  const found = pattern.replace(/^\.?\//, '').match(/\*\*\/|\*+|\?|[^*?]/g) ?? []
  return found.map((token): Token => {
    if (token === '**/') return { kind: 'directories' }
    if (token === '*') return { kind: 'some' }
    if (token === '?') return { kind: 'one' }
    return token.startsWith('**') ? { kind: 'any' } : { kind: 'text', character: token }
  })
}

/** All places of the pattern at once, one character of the path after the other: the time is a product, never a power. */
function matches(pattern: Token[], path: string, budget: { steps: number }): boolean {
  let places = settle(pattern, new Set([0]), true)
  for (const [index, character] of path.split('').entries()) {
    budget.steps -= places.size
    if (budget.steps < 0) return false
    const next = new Set<number>()
    for (const place of places) {
      const token = pattern[place]
      if (!token) continue
      if (token.kind === 'text' && token.character === character) next.add(place + 1)
      else if (token.kind === 'one' && character !== '/') next.add(place + 1)
      else if (token.kind === 'some' && character !== '/') next.add(place)
      else if (token.kind === 'any' || token.kind === 'directories') next.add(place)
    }
    if (next.size === 0) return false
    places = settle(pattern, next, path[index] === '/')
  }
  return places.has(pattern.length)
}

/** Adds the places behind wildcards that may stand for nothing; the one of directories ends only where a name begins. */
function settle(pattern: Token[], places: Set<number>, atName: boolean): Set<number> {
  for (const place of places) {
    const kind = pattern[place]?.kind
    if (kind === 'some' || kind === 'any' || (kind === 'directories' && atName)) places.add(place + 1)
  }
  return places
}
