import { largestNotebook, type RunRequest } from '@coherex/contract'
import { createId, storable, type Database } from '../../base/index.ts'
import {
  findCellOfRun,
  insertCellRow,
  lockNotebook,
  measureNotebook,
  updateCellRow,
  whyTooLarge,
} from '../cells/cell-store.ts'
import type { Sandboxes } from '../sandboxes/sandboxes.ts'

export interface AttachDeps {
  database: Database
  sandboxes: Pick<Sandboxes, 'tell'>
}

export interface AttachedRun {
  teamId: string
  runId: string
  request: RunRequest
  /** The run whose program it runs again: it is of the same cell. */
  retryOf: string | undefined
  isReplay: boolean
  keepsText: boolean
}

/**
 * Makes a run the last one of its cell, which holds from then on what ran. A run without a cell gets one at the end, as long as
 * the notebook has room.
 */
export async function attachRun(
  { database, sandboxes }: AttachDeps,
  { teamId, runId, request, retryOf, isReplay, keepsText }: AttachedRun,
): Promise<void> {
  const { sandboxId, language } = request
  if (sandboxId === undefined || (isReplay && request.cellId === undefined)) return
  const notebook = { teamId, sandboxId }
  const source = storable(request.code)
  await database.transaction({ team: teamId }, async (transaction) => {
    const typed = keepsText ? {} : { kind: 'code' as const, language, source, updatedAt: new Date() }
    const cellId = request.cellId ?? (retryOf && (await findCellOfRun(transaction, notebook, retryOf)))
    if (cellId !== undefined) return updateCellRow(transaction, { ...notebook, id: cellId }, { runId, ...typed })
    await lockNotebook(transaction, notebook)
    const held = await measureNotebook(transaction, notebook)
    if (source.length > largestNotebook.source || whyTooLarge(held, source) !== undefined) return undefined
    const row = { kind: 'code' as const, language, source, runId, isCollapsed: false, updatedAt: new Date() }
    return insertCellRow(transaction, { ...notebook, id: createId('cell'), position: held.last + 1, ...row })
  })
  await sandboxes.tell(teamId, sandboxId, 'cell')
}
