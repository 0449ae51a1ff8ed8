export interface DiffLine {
  kind: 'context' | 'added' | 'removed' | 'gap'
  text: string
  before: number | undefined
  after: number | undefined
}

/** The lines of a unified diff with their numbers; heads of files are left out. */
export function parseDiff(diff: string): DiffLine[] {
  const lines: DiffLine[] = []
  let before = 0
  let after = 0
  let inHunk = false
  for (const line of diff.split('\n')) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@(.*)/.exec(line)
    if (hunk) {
      before = Number(hunk[1])
      after = Number(hunk[2])
      inHunk = true
      lines.push({ kind: 'gap', text: line, before: undefined, after: undefined })
    } else if (inHunk && line.startsWith('+')) {
      lines.push({ kind: 'added', text: line.slice(1), before: undefined, after: after++ })
    } else if (inHunk && line.startsWith('-')) {
      lines.push({ kind: 'removed', text: line.slice(1), before: before++, after: undefined })
    } else if (inHunk && line.startsWith(' ')) {
      lines.push({ kind: 'context', text: line.slice(1), before: before++, after: after++ })
    }
  }
  return lines
}

export function countLines(lines: readonly DiffLine[]): { added: number; removed: number } {
  const count = (kind: DiffLine['kind']) => lines.filter((line) => line.kind === kind).length
  return { added: count('added'), removed: count('removed') }
}
