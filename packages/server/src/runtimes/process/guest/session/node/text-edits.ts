/** Replaces text from `start` to `end` in the original. */
export interface Edit {
  start: number
  end: number
  text: string
}

export interface Edited {
  code: string
  /** The column in the original of a place in the edited text; both count from 1, and lines stay what they are. */
  columnOf(line: number, column: number): number
}

interface Shift {
  /** In the edited text. */
  column: number
  width: number
}

/** Edits must not overlap and must not add or remove line breaks. */
export function applyEdits(original: string, edits: readonly Edit[]): Edited {
  const shifts = new Map<number, Shift[]>()
  const sorted = edits.map((edit, order) => ({ ...edit, order })).sort((a, b) => a.start - b.start || a.order - b.order)
  let code = ''
  let at = 0
  let line = 1
  let lineStart = 0
  for (const { start, end, text } of sorted) {
    const kept = original.slice(at, start)
    code += kept
    for (let next = kept.indexOf('\n'); next >= 0; next = kept.indexOf('\n', next + 1)) {
      line++
      lineStart = code.length - kept.length + next + 1
    }
    const width = text.length - (end - start)
    const known = shifts.get(line) ?? []
    shifts.set(line, [...known, { column: code.length - lineStart + 1, width }])
    code += text
    at = end
  }
  return {
    code: code + original.slice(at),
    columnOf(place, column) {
      let found = column
      for (const shift of shifts.get(place) ?? []) {
        if (column <= shift.column) break
        found -= Math.min(shift.width, column - shift.column)
      }
      return Math.max(1, found)
    },
  }
}
