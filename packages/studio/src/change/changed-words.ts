import type { DiffLine, DiffRow } from './parse-diff.ts'

/** Where a line differs from the one it took the place of: from one letter up to another. */
export interface Mark {
  from: number
  to: number
}

// longer ones are data, and lines that share little were rewritten
const longestLine = 2_000
const leastShared = 0.3

/** The parts of lines that changed, for lines that took the place of as many others. */
export function markChangedWords(rows: readonly DiffRow[]): Map<DiffLine, Mark> {
  const marks = new Map<DiffLine, Mark>()
  for (const { removed, added } of findPairs(rows)) {
    if (removed.length !== added.length) continue
    for (const [index, old] of removed.entries()) {
      const now = added[index]
      const found = now && compare(old.text, now.text)
      if (!found) continue
      marks.set(old, found.old)
      marks.set(now, found.now)
    }
  }
  return marks
}

/** Runs of removed lines with the added ones that follow them. */
function findPairs(rows: readonly DiffRow[]): { removed: DiffLine[]; added: DiffLine[] }[] {
  const pairs: { removed: DiffLine[]; added: DiffLine[] }[] = []
  let last: DiffRow['kind'] | undefined
  for (const row of rows) {
    if (row.kind === 'removed') {
      if (last !== 'removed') pairs.push({ removed: [], added: [] })
      pairs.at(-1)?.removed.push(row)
    } else if (row.kind === 'added' && (last === 'removed' || last === 'added')) {
      pairs.at(-1)?.added.push(row)
    } else if (row.kind === 'added') pairs.push({ removed: [], added: [row] })
    last = row.kind
  }
  return pairs
}

function compare(old: string, now: string): { old: Mark; now: Mark } | undefined {
  const shorter = Math.min(old.length, now.length)
  const longer = Math.max(old.length, now.length)
  if (longer > longestLine) return undefined
  let head = 0
  while (head < shorter && old[head] === now[head]) head++
  head = toWordStart(now, head)
  let tail = 0
  while (tail < shorter - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++
  tail = now.length - toWordEnd(now, now.length - tail)
  if (head + tail < longer * leastShared) return undefined
  return { old: { from: head, to: old.length - tail }, now: { from: head, to: now.length - tail } }
}

const isInWord = (text: string, at: number) => /^\w\w$/.test(text.slice(at - 1, at + 1))

function toWordStart(text: string, at: number): number {
  let start = at
  while (start > 0 && isInWord(text, start)) start--
  return start
}

function toWordEnd(text: string, at: number): number {
  let end = at
  while (end < text.length && isInWord(text, end)) end++
  return end
}
