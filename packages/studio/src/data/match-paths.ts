/** Paths that have the letters in this order, those with them together and in the name first; order within a rank stays. */
export function matchPaths(paths: readonly string[], text: string, most: number): string[] {
  const typed = text.toLowerCase().replaceAll(/\s/g, '')
  if (typed === '') return paths.slice(0, most)
  return paths
    .map((path) => ({ path, rank: rankOf(path.toLowerCase(), typed) }))
    .filter(({ rank }) => rank > 0)
    .sort((a, b) => b.rank - a.rank)
    .slice(0, most)
    .map(({ path }) => path)
}

function rankOf(path: string, typed: string): number {
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (name.startsWith(typed)) return 5
  if (name.includes(typed)) return 4
  if (path.includes(typed)) return 3
  if (hasInOrder(name, typed)) return 2
  return hasInOrder(path, typed) ? 1 : 0
}

function hasInOrder(text: string, letters: string): boolean {
  let at = -1
  for (const letter of letters) {
    at = text.indexOf(letter, at + 1)
    if (at < 0) return false
  }
  return true
}
