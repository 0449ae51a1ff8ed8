import { diffArrays } from 'diff'

/** Lines `start` to `end` of the old text became lines `newStart` to `newEnd` of the new one; ends are not included. */
export interface Hunk {
  start: number
  end: number
  newStart: number
  newEnd: number
}

const mostEdits = 4000
const diffMs = 100

/** Lines with their ends, so that joining them gives the text again. */
export function toLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

/** Where two texts differ, in order. Texts with little in common differ as a whole. */
export function findHunks(before: string[], after: string[]): Hunk[] {
  const parts = diffArrays(before, after, { maxEditLength: mostEdits, timeout: diffMs })
  if (!parts) return [{ start: 0, end: before.length, newStart: 0, newEnd: after.length }]
  const hunks: Hunk[] = []
  let [at, newAt] = [0, 0]
  for (const { value, added, removed } of parts) {
    const [taken, given] = [added ? 0 : value.length, removed ? 0 : value.length]
    if (added || removed) {
      const last = hunks.at(-1)
      if (last?.end === at && last.newEnd === newAt) {
        last.end += taken
        last.newEnd += given
      } else hunks.push({ start: at, end: at + taken, newStart: newAt, newEnd: newAt + given })
    }
    at += taken
    newAt += given
  }
  return hunks
}
