import type { TextChange } from '../live/replace-text.ts'

/** One piece of a change: lines of the file with those around them, before and after. */
export interface Hunk {
  /** The number of its first line before the change, from 1. */
  line: number
  before: string[]
  after: string[]
}

const head = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/

/** The hunks of the unified diff of one file. */
export function hunksOf(diff: string): Hunk[] {
  const hunks: Hunk[] = []
  let [oldLeft, newLeft] = [0, 0]
  let last = ''
  // the sides that end without a line break
  const bare = { before: false, after: false }
  for (const text of diff.split('\n')) {
    const found = oldLeft + newLeft > 0 ? null : head.exec(text)
    const hunk = hunks.at(-1)
    if (found) {
      oldLeft = Number(found[2] ?? 1)
      newLeft = Number(found[4] ?? 1)
      hunks.push({ line: Number(found[1]) + (oldLeft === 0 ? 1 : 0), before: [], after: [] })
    } else if (hunk && text.startsWith('\\')) {
      if (last !== '+') bare.before = true
      if (last !== '-') bare.after = true
    } else if (hunk && oldLeft + newLeft > 0) {
      last = text.charAt(0)
      if (last !== '+') hunk.before.push(text.slice(1))
      if (last !== '-') hunk.after.push(text.slice(1))
      if (last !== '+') oldLeft--
      if (last !== '-') newLeft--
    }
  }
  // the side that has one ends with an empty line
  const end = hunks.at(-1)
  if (bare.before && !bare.after) end?.after.push('')
  if (bare.after && !bare.before) end?.before.push('')
  return hunks
}

/**
 * Where hunks go in a text that may have changed since: each where its lines stand now, the place nearest to where they
 * stood. A hunk whose lines are not there any more is left out, and counted.
 */
export function placeHunks(text: string, hunks: readonly Hunk[]): { changes: TextChange[]; missing: number } {
  const lines = text.split('\n')
  const starts = startsOf(lines)
  const changes: TextChange[] = []
  let missing = 0
  let free = 0
  for (const whole of hunks) {
    const placed = withLessAround(whole)
      .map((hunk) => ({ hunk, at: findLines(lines, hunk, free) }))
      .find(({ at }) => at !== undefined)
    if (placed?.at === undefined) {
      missing++
      continue
    }
    const { hunk, at } = placed
    free = at + hunk.before.length
    changes.push(...changesAt({ lines, starts, length: text.length }, at, hunk))
  }
  return { changes, missing }
}

/** A hunk, then with fewer of the unchanged lines around it: others may have changed those. */
function withLessAround(hunk: Hunk): Hunk[] {
  const { line, before, after } = hunk
  const { same, end } = sameLines(before, after)
  return Array.from({ length: Math.max(same, end) + 1 }, (_, less) => {
    const [top, bottom] = [Math.min(less, same), Math.min(less, end)]
    const cut = (lines: string[]) => lines.slice(top, lines.length - bottom)
    return { line: line + top, before: cut(before), after: cut(after) }
    // lines that only come in have no place without others
  }).filter((one, index) => index === 0 || one.before.length > 0)
}

/** How many lines both begin with and end with. */
function sameLines(before: readonly string[], after: readonly string[]): { same: number; end: number } {
  const most = Math.min(before.length, after.length)
  let same = 0
  while (same < most && before[same] === after[same]) same++
  let end = 0
  while (end < most - same && before.at(-1 - end) === after.at(-1 - end)) end++
  return { same, end }
}

interface Split {
  lines: string[]
  starts: number[]
  length: number
}

/** Only what differs: lines around it stay, and with them the places of others. */
function changesAt({ lines, starts, length }: Split, at: number, { before, after }: Hunk): TextChange[] {
  const { same, end } = sameLines(before, after)
  const [from, to] = [at + same, at + before.length - end]
  const insert = after.slice(same, after.length - end).join('\n')
  const isInsert = after.length - end > same
  const startOf = (line: number) => starts[line] ?? length
  if (from === to) {
    if (!isInsert) return []
    if (from >= lines.length) return [{ at: length, remove: 0, insert: `\n${insert}` }]
    return [{ at: startOf(from), remove: 0, insert: `${insert}\n` }]
  }
  if (isInsert)
    return [{ at: startOf(from), remove: startOf(to - 1) + (lines[to - 1]?.length ?? 0) - startOf(from), insert }]
  if (to < lines.length) return [{ at: startOf(from), remove: startOf(to) - startOf(from), insert: '' }]
  const start = Math.max(0, startOf(from) - 1)
  return [{ at: start, remove: length - start, insert: '' }]
}

function startsOf(lines: readonly string[]): number[] {
  const starts: number[] = []
  let at = 0
  for (const line of lines) {
    starts.push(at)
    at += line.length + 1
  }
  return starts
}

/** The place from `free` on that is nearest to where the hunk was. */
function findLines(lines: readonly string[], { line, before }: Hunk, free: number): number | undefined {
  const matches = (at: number) => before.every((text, index) => lines[at + index] === text)
  const wanted = line - 1
  const last = lines.length - before.length
  for (let away = 0; away <= lines.length; away++) {
    for (const at of away === 0 ? [wanted] : [wanted - away, wanted + away]) {
      if (at >= free && at <= last && matches(at)) return at
    }
  }
  return undefined
}
