import type { GivenFile, Language, RunRequest } from '@coherex/contract'
import { and, asc, eq, ne } from 'drizzle-orm'
import type { Transaction } from '../../base/index.ts'
import { notebookCellTable } from '../cell-table.ts'
import { runTable } from '../run-table.ts'
import type { Notebook } from './cell-store.ts'

export interface CellToRun {
  /** Null for one that has no cell in the notebook. */
  cellId: string | null
  /** Its last run; null before the first. */
  runId: string | null
  language: Language
  code: string
  context: string
  /** What its last run was asked for. */
  request: Pick<RunRequest, 'stdin' | 'input' | 'limits'>
  files: Record<string, GivenFile>
}

/** The code cells of a notebook as they are now, from first to last, each in the session it was in. */
export async function selectNotebookCells(
  transaction: Transaction,
  { teamId, sandboxId }: Notebook,
  only: string | undefined,
): Promise<CellToRun[]> {
  const rows = await transaction
    .select({ cell: notebookCellTable, request: runTable.request })
    .from(notebookCellTable)
    .leftJoin(runTable, and(eq(runTable.teamId, notebookCellTable.teamId), eq(runTable.id, notebookCellTable.runId)))
    .where(
      and(
        eq(notebookCellTable.teamId, teamId),
        eq(notebookCellTable.sandboxId, sandboxId),
        eq(notebookCellTable.kind, 'code'),
        ne(notebookCellTable.source, ''),
      ),
    )
    .orderBy(asc(notebookCellTable.position))
  const cells = rows.map(({ cell: { id, language: own, source, runId }, request }) => {
    const language = own ?? 'python'
    const context = request?.language === language ? (request.context ?? language) : language
    const { stdin, input, limits } = request ?? {}
    return { cellId: id, runId, language, code: source, context, request: { stdin, input, limits }, files: {} }
  })
  return only === undefined ? cells : cells.filter(({ context }) => context === only)
}
