import { CoherexError, type Cell, type CellChange, type CellRequest } from '@coherex/contract'
import { recordAudit, type TeamCaller } from '../../access/index.ts'
import { createId, storable, type Database, type Transaction } from '../../base/index.ts'
import { toCell, type CellRow } from '../cell-table.ts'
import {
  clearRuns,
  deleteCellRow,
  insertCellRow,
  lockNotebook,
  measureNotebook,
  placeCell,
  selectCellRow,
  selectCellRows,
  updateCellRow,
  whyTooLarge,
  type Notebook,
} from '../cells/cell-store.ts'
import { auditSandbox } from '../sandboxes/new-sandbox.ts'
import type { Sandboxes } from '../sandboxes/sandboxes.ts'

export interface NotebookDeps {
  database: Database
  sandboxes: Sandboxes
}

export type Notebooks = ReturnType<typeof createNotebooks>

/** What doors do to the cells of a sandbox. Edits are not in the audit log, as what was run is; making and deleting cells is. */
export function createNotebooks({ database, sandboxes }: NotebookDeps) {
  const read = <T>({ teamId }: { teamId: string }, work: (transaction: Transaction) => Promise<T>) =>
    database.transaction({ team: teamId }, work)

  /** One after the other, then told to whoever looks at the notebook. */
  async function change<T>(notebook: Notebook, work: (transaction: Transaction) => Promise<T>): Promise<T> {
    const done = await read(notebook, async (transaction) => {
      await lockNotebook(transaction, notebook)
      return work(transaction)
    })
    await sandboxes.tell(notebook.teamId, notebook.sandboxId, 'cell')
    return done
  }

  return {
    async list(teamId: string, sandboxId: string): Promise<{ items: Cell[] }> {
      await sandboxes.findUsable(teamId, sandboxId)
      const rows = await read({ teamId }, (transaction) => selectCellRows(transaction, { teamId, sandboxId }))
      return { items: rows.map(toCell) }
    },

    async create(caller: TeamCaller, sandboxId: string, request: CellRequest): Promise<Cell> {
      const { teamId } = caller
      const sandbox = await sandboxes.findUsable(teamId, sandboxId)
      const { kind, after, runId = null } = request
      const language = kind === 'markdown' ? null : (request.language ?? sandbox.language ?? 'python')
      const source = storable(request.source)
      const notebook = { teamId, sandboxId }
      return change(notebook, async (transaction) => {
        const held = await measureNotebook(transaction, notebook)
        const why = whyTooLarge(held, source)
        if (why) throw new CoherexError('quota_exceeded', `Cannot insert a cell: ${why}`)
        const text = { kind, language, source, runId, isCollapsed: false, updatedAt: new Date() }
        const row: CellRow = { ...notebook, id: createId('cell'), position: held.last + 1, ...text }
        await insertCellRow(transaction, row).catch(refuseMissingRun)
        if (after !== undefined) await placeCell(transaction, notebook, { id: row.id, after })
        await recordAudit(transaction, auditSandbox(caller, 'sandbox.cell-create', sandbox, { cell: row.id }))
        return toCell(row)
      })
    },

    async change(caller: TeamCaller, name: { id: string; cellId: string }, asked: CellChange): Promise<Cell> {
      const { teamId } = caller
      await sandboxes.findUsable(teamId, name.id)
      const notebook = { teamId, sandboxId: name.id }
      const { after, source, ...rest } = asked
      return change(notebook, async (transaction) => {
        const before = await selectCellRow(transaction, notebook, name.cellId)
        const kind = rest.kind ?? before.kind
        const row: CellRow = {
          ...before,
          ...rest,
          kind,
          language: kind === 'markdown' ? null : (rest.language ?? before.language ?? 'python'),
          ...(source === undefined ? {} : { source: storable(source), updatedAt: new Date() }),
        }
        if (row.source.length > before.source.length) {
          const { characters } = await measureNotebook(transaction, notebook)
          const why = whyTooLarge({ cells: 0, characters: characters - before.source.length }, row.source)
          if (why) throw new CoherexError('quota_exceeded', `Cannot change the cell: ${why}`)
        }
        await updateCellRow(transaction, row, row)
        if (after !== undefined) await placeCell(transaction, notebook, { id: row.id, after })
        return toCell(row)
      })
    },

    async remove(caller: TeamCaller, { id, cellId }: { id: string; cellId: string }): Promise<void> {
      const { teamId } = caller
      const sandbox = await sandboxes.findUsable(teamId, id)
      const notebook = { teamId, sandboxId: id }
      await change(notebook, async (transaction) => {
        await selectCellRow(transaction, notebook, cellId)
        await deleteCellRow(transaction, notebook, cellId)
        await recordAudit(transaction, auditSandbox(caller, 'sandbox.cell-delete', sandbox, { cell: cellId }))
      })
    },

    async clear(caller: TeamCaller, id: string): Promise<{ items: Cell[] }> {
      const { teamId } = caller
      await sandboxes.findUsable(teamId, id)
      const notebook = { teamId, sandboxId: id }
      return change(notebook, async (transaction) => {
        await clearRuns(transaction, notebook)
        return { items: (await selectCellRows(transaction, notebook)).map(toCell) }
      })
    },
  }
}

function refuseMissingRun(error: unknown): never {
  const cause = (error as { cause?: { code?: unknown } }).cause
  if (cause?.code !== '23503') throw error
  throw new CoherexError('invalid_input', 'runId: there is no such run', { details: [{ field: 'runId' }] })
}
