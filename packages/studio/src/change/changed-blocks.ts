import type { ChangedBlock } from '../editor/proposed-change.ts'
import type { DiffRow } from './parse-diff.ts'

/** The changes of a diff without the lines around them, in lines of the text before. */
export function changedBlocks(rows: readonly DiffRow[]): ChangedBlock[] {
  const blocks: ChangedBlock[] = []
  let isOpen = false
  let line = 1
  for (const row of rows) {
    if (row.kind === 'context' || row.kind === 'gap') {
      isOpen = false
      line = (row.before ?? 0) + (row.kind === 'gap' ? (row.count ?? 0) : 1)
      continue
    }
    if (!isOpen) blocks.push({ line, removed: [], added: [] })
    isOpen = true
    if (row.kind === 'removed') line++
    blocks.at(-1)?.[row.kind].push(row.text)
  }
  return blocks
}
