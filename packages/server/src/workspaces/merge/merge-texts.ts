import { findHunks, toLines, type Hunk } from './line-hunks.ts'

export interface Merge {
  /** Both changes; where they touch the same lines, mine. */
  text: string
  /** Where they touch the same lines, in lines of theirs. */
  conflicts: { start: number; end: number }[]
}

/** Brings together two texts that were made from one. */
export function mergeTexts({ base, mine, theirs }: { base: string; mine: string; theirs: string }): Merge {
  const [baseLines, myLines, theirLines] = [toLines(base), toLines(mine), toLines(theirs)]
  const [myHunks, theirHunks] = [findHunks(baseLines, myLines), findHunks(baseLines, theirLines)]
  const merged: string[] = []
  const conflicts: Merge['conflicts'] = []
  let at = 0
  for (const region of toRegions(myHunks, theirHunks)) {
    merged.push(...baseLines.slice(at, region.start))
    at = region.end
    const mineHere = linesOf(region, region.mine, myLines)
    const theirsHere = linesOf(region, region.theirs, theirLines)
    if (region.mine.length === 0) merged.push(...theirsHere.lines)
    else merged.push(...mineHere.lines)
    const isConflict = region.mine.length > 0 && region.theirs.length > 0
    if (isConflict && mineHere.lines.join('') !== theirsHere.lines.join('')) conflicts.push(theirsHere)
  }
  merged.push(...baseLines.slice(at))
  return { text: merged.join(''), conflicts }
}

interface Region {
  start: number
  end: number
  mine: Hunk[]
  theirs: Hunk[]
}

/** Changes of both sides that touch each other are one region. */
function toRegions(mine: Hunk[], theirs: Hunk[]): Region[] {
  const all = [
    ...mine.map((hunk) => ({ hunk, side: 'mine' as const })),
    ...theirs.map((hunk) => ({ hunk, side: 'theirs' as const })),
  ].toSorted((a, b) => a.hunk.start - b.hunk.start || a.hunk.end - b.hunk.end)
  const regions: Region[] = []
  for (const { hunk, side } of all) {
    const last = regions.at(-1)
    if (last && touches(last, hunk)) {
      last.end = Math.max(last.end, hunk.end)
      last[side].push(hunk)
    } else {
      const region: Region = { start: hunk.start, end: hunk.end, mine: [], theirs: [] }
      region[side].push(hunk)
      regions.push(region)
    }
  }
  return regions
}

/** Lines side by side do not touch; a place where lines come in touches what is beside it. */
function touches(region: { start: number; end: number }, hunk: Hunk): boolean {
  if (hunk.start < region.end) return true
  const isInsertion = hunk.start === hunk.end || region.start === region.end
  return isInsertion && hunk.start === region.end
}

/** What one side has in place of a region of the base. */
function linesOf(region: Region, hunks: Hunk[], lines: string[]) {
  const first = hunks[0]
  const last = hunks.at(-1)
  if (!first || !last) return { lines: [], start: 0, end: 0 }
  const start = first.newStart - (first.start - region.start)
  const end = last.newEnd + (region.end - last.end)
  return { lines: lines.slice(start, end), start, end }
}
