import { findHunks, toLines } from './line-hunks.ts'

/** Which lines of a text a person changed, and before which lines a person took some away. */
export interface PersonalLines {
  lines: boolean[]
  gaps: boolean[]
}

/** Follows a text from step to step. A line that a person changed stays theirs when someone else changes it further. */
export function findPersonalLines(base: string, steps: { text: string; byPerson: boolean }[]): PersonalLines {
  let lines = toLines(base)
  let marks: PersonalLines = { lines: flags(lines.length, false), gaps: flags(lines.length + 1, false) }
  for (const { text, byPerson } of steps) {
    const next = toLines(text)
    const after: PersonalLines = { lines: flags(next.length, false), gaps: flags(next.length + 1, false) }
    let [at, newAt] = [0, 0]
    const keepUntil = (end: number) => {
      for (; at < end; at++, newAt++) {
        after.lines[newAt] = marks.lines[at] ?? false
        after.gaps[newAt] ||= marks.gaps[at] ?? false
      }
    }
    for (const { start, end, newStart, newEnd } of findHunks(lines, next)) {
      keepUntil(start)
      const personal = byPerson || isPersonal(marks, { start, end })
      if (personal && newStart === newEnd) after.gaps[newStart] = true
      after.lines.fill(personal, newStart, newEnd)
      at = end
      newAt = newEnd
    }
    keepUntil(lines.length)
    after.gaps[next.length] ||= marks.gaps[lines.length] ?? false
    lines = next
    marks = after
  }
  return marks
}

function flags(length: number, value: boolean): boolean[] {
  return new Array<boolean>(length).fill(value)
}

/** Whether lines `start` to `end` hold anything that a person changed. */
export function isPersonal({ lines, gaps }: PersonalLines, { start, end }: { start: number; end: number }): boolean {
  for (let at = start; at < end; at++) if (lines[at] || gaps[at]) return true
  return gaps[end] ?? false
}
