/** Lines of a file, counted from 1, both included. */
interface Lines {
  from: number
  to: number
}

export interface RunPart {
  /** The part alone, at the lines that it has in the file: what fails in it names them. */
  code: string
  /** Its last line with something on it. */
  last: number
  /** Where the next cell begins; undefined behind the last. */
  next: number | undefined
}

const cellMark = /^\s*(?:#|\/\/|--)\s*%%/

/** Whether a text has cells: parts that begin with a comment such as `# %%`. */
export function hasCells(text: string): boolean {
  return /^\s*(?:#|\/\/|--)\s*%%/m.test(text)
}

/** What to run of a text: what is selected, or else the cell of the line. Undefined when that is the whole. */
export function partToRun(text: string, line: number, selected: Lines | undefined): RunPart | undefined {
  const lines = text.split('\n')
  if (selected) return { code: cut(lines, selected), last: lastOf(lines, selected), next: undefined }
  if (!hasCells(text)) return undefined
  const starts = [1, ...lines.flatMap((one, index) => (index > 0 && cellMark.test(one) ? [index + 1] : []))]
  const from = starts.findLast((start) => start <= line) ?? 1
  const next = starts.find((start) => start > line)
  const cell = { from, to: (next ?? lines.length + 1) - 1 }
  return { code: cut(lines, cell), last: lastOf(lines, cell), next }
}

function lastOf(lines: readonly string[], { from, to }: Lines): number {
  let last = to
  while (last > from && lines[last - 1]?.trim() === '') last--
  return last
}

function cut(lines: readonly string[], { from, to }: Lines): string {
  return '\n'.repeat(from - 1) + lines.slice(from - 1, to).join('\n') + '\n'
}
