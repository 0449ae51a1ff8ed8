/** A line of a file that was changed, or stands beside one that was. */
export interface DiffLine {
  kind: 'context' | 'added' | 'removed'
  text: string
  before: number | undefined
  after: number | undefined
}

/** Unchanged lines that a diff leaves out; up to the end of the file where their number is unknown. */
export interface DiffGap {
  kind: 'gap'
  /** The first of them, on both sides. */
  before: number
  after: number
  count: number | undefined
}

export type DiffRow = DiffLine | DiffGap

export interface FileDiffText {
  path: string
  /** Where a moved file was. */
  from?: string | undefined
  change: 'added' | 'changed' | 'deleted' | 'moved'
  binary: boolean
  /** Unified, of this file alone. */
  diff: string
}

const hunkHead = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/
/** Lines around a change that a diff shows: fewer at its end mean that the file ends there. */
const contextLines = 3

/** The rows of the unified diff of one file: its lines with their numbers, and the gaps between them. */
export function parseDiff(diff: string): DiffRow[] {
  const rows: DiffRow[] = []
  let [before, after] = [1, 1]
  let [oldLeft, newLeft] = [0, 0]
  for (const line of diff.split('\n')) {
    const sign = line.charAt(0)
    const hunk = oldLeft + newLeft > 0 ? undefined : readHunk(line)
    if (hunk) {
      if (hunk.after > after) rows.push({ kind: 'gap', before, after, count: hunk.after - after })
      ;({ before, after, oldLeft, newLeft } = hunk)
    } else if (sign === '+' && newLeft > 0) {
      rows.push({ kind: 'added', text: line.slice(1), before: undefined, after: after++ })
      newLeft--
    } else if (sign === '-' && oldLeft > 0) {
      rows.push({ kind: 'removed', text: line.slice(1), before: before++, after: undefined })
      oldLeft--
    } else if (sign === ' ' && oldLeft > 0 && newLeft > 0) {
      rows.push({ kind: 'context', text: line.slice(1), before: before++, after: after++ })
      oldLeft--
      newLeft--
    }
  }
  const last = rows.slice(-contextLines)
  if (last.length === contextLines && last.every(({ kind }) => kind === 'context')) {
    rows.push({ kind: 'gap', before, after, count: undefined })
  }
  return rows
}

/** A side without lines is named by the line before it. */
function readHunk(line: string) {
  const found = hunkHead.exec(line)
  if (!found) return undefined
  const [oldLeft, newLeft] = [Number(found[2] ?? 1), Number(found[4] ?? 1)]
  const [before, after] = [Number(found[1]), Number(found[3])]
  return { before: oldLeft === 0 ? before + 1 : before, after: newLeft === 0 ? after + 1 : after, oldLeft, newLeft }
}

/** The diffs of a text that has several, one after another. */
export function splitDiff(text: string): FileDiffText[] {
  const files: { head: [string, string]; lines: string[] }[] = []
  const lines = text.split('\n')
  let left = 0
  for (const [index, line] of lines.entries()) {
    const hunk = left > 0 ? undefined : readHunk(line)
    if (hunk) left = hunk.oldLeft + hunk.newLeft
    else if (left > 0) left -= line.startsWith(' ') ? 2 : /^[+-]/.test(line) ? 1 : 0
    else if (line.startsWith('--- ') && lines[index + 1]?.startsWith('+++ ')) {
      files.push({ head: [line.slice(4), lines[index + 1]?.slice(4) ?? ''], lines: [] })
    }
    files.at(-1)?.lines.push(line)
  }
  return files.map(({ head: [old, now], lines: own }) => {
    const [from, path] = [old.replace(/^a\//, ''), now.replace(/^b\//, '')]
    const isNew = old === '/dev/null'
    const isGone = now === '/dev/null'
    const change = isNew ? 'added' : isGone ? 'deleted' : from === path ? 'changed' : 'moved'
    const binary = own.some((line) => line.startsWith('Binary files differ'))
    return {
      path: isGone ? from : path,
      ...(change === 'moved' && { from }),
      change,
      binary,
      diff: own.join('\n'),
    }
  })
}

export function countLines(rows: readonly DiffRow[]): { added: number; removed: number } {
  const count = (kind: DiffRow['kind']) => rows.filter((row) => row.kind === kind).length
  return { added: count('added'), removed: count('removed') }
}
