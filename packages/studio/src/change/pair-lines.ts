import type { DiffGap, DiffLine, DiffRow } from './parse-diff.ts'

export interface LinePair {
  before?: DiffLine | undefined
  after?: DiffLine | undefined
}

/** The rows of a diff with both versions beside each other: removed lines stand beside those that took their place. */
export function pairLines(rows: readonly DiffRow[]): (LinePair | DiffGap)[] {
  const pairs: (LinePair | DiffGap)[] = []
  let removed: DiffLine[] = []
  let added: DiffLine[] = []
  const flush = () => {
    for (let index = 0; index < Math.max(removed.length, added.length); index++) {
      pairs.push({ before: removed[index], after: added[index] })
    }
    ;[removed, added] = [[], []]
  }
  for (const row of rows) {
    if (row.kind === 'removed') {
      if (added.length > 0) flush()
      removed.push(row)
    } else if (row.kind === 'added') added.push(row)
    else {
      flush()
      pairs.push(row.kind === 'gap' ? row : { before: row, after: row })
    }
  }
  flush()
  return pairs
}
