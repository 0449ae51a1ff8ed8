import { readStored, storedNames, writeStored } from '../../../ui/state/stored.ts'

/** A run of a cell whose outputs are not in the file yet. */
export interface UnwrittenRun {
  runId: string
  path: string
  /** Of the cell, and its code as it was run. */
  key: string
  source: string
}

// a window that is closed leaves them to the next one of this browser
const keyOf = (workspaceId: string, runId: string) => `draft.unwritten.${workspaceId}.${runId}`

/** False where this browser keeps nothing. */
export function keepUnwritten(workspaceId: string, { runId, ...cell }: UnwrittenRun): boolean {
  writeStored(keyOf(workspaceId, runId), JSON.stringify(cell))
  return readStored(keyOf(workspaceId, runId)) !== undefined
}

export function unwrittenRuns(workspaceId: string, path: string): UnwrittenRun[] {
  return storedNames(keyOf(workspaceId, ''))
    .flatMap((runId) => {
      const cell = parse(readStored(keyOf(workspaceId, runId)))
      return cell ? [{ ...cell, runId }] : []
    })
    .filter((one) => one.path === path)
}

/** True for one window alone, which writes the outputs. */
export function takeUnwritten(workspaceId: string, runId: string): boolean {
  const isThere = readStored(keyOf(workspaceId, runId)) !== undefined
  writeStored(keyOf(workspaceId, runId), undefined)
  return isThere
}

function parse(stored: string | undefined): Omit<UnwrittenRun, 'runId'> | undefined {
  try {
    const { path, key, source } = JSON.parse(stored ?? '{}') as Partial<UnwrittenRun>
    return typeof path === 'string' && typeof key === 'string' && typeof source === 'string'
      ? { path, key, source }
      : undefined
  } catch {
    return undefined
  }
}
