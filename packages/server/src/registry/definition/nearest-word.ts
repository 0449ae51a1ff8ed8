/** The word that was probably meant, when one is close enough to a misspelt one. */
export function nearestWord(word: string, known: readonly string[]): string | undefined {
  const scored = known.map((candidate) => ({ candidate, distance: editDistance(word.slice(0, 40), candidate) }))
  const best = scored.sort((a, b) => a.distance - b.distance)[0]
  return best && best.distance <= Math.max(1, Math.floor(word.length / 3)) ? best.candidate : undefined
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
