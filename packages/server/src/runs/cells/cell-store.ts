import { CoherexError, largestNotebook } from '@coherex/contract'
import { and, asc, eq, sql } from 'drizzle-orm'
import type { Transaction } from '../../base/index.ts'
import { notebookCellTable, type CellRow } from '../cell-table.ts'

export interface Notebook {
  teamId: string
  sandboxId: string
}

export function selectCellRows(transaction: Transaction, notebook: Notebook): Promise<CellRow[]> {
  return transaction.select().from(notebookCellTable).where(cellsOf(notebook)).orderBy(asc(notebookCellTable.position))
}

export async function selectCellRow(transaction: Transaction, notebook: Notebook, id: string): Promise<CellRow> {
  const [row] = await transaction.select().from(notebookCellTable).where(named(notebook, id))
  if (!row) throw new CoherexError('not_found', 'There is no such cell in the notebook')
  return row
}

/** The cell that shows a run. */
export async function findCellOfRun(
  transaction: Transaction,
  notebook: Notebook,
  runId: string,
): Promise<string | undefined> {
  const [row] = await transaction
    .select({ id: notebookCellTable.id })
    .from(notebookCellTable)
    .where(and(cellsOf(notebook), eq(notebookCellTable.runId, runId)))
  return row?.id
}

/** Changes of a notebook come one after the other: positions are counted. */
export async function lockNotebook(transaction: Transaction, { teamId, sandboxId }: Notebook): Promise<void> {
  await transaction.execute(
    sql`SELECT FROM coherex.sandbox WHERE team_id = ${teamId} AND id = ${sandboxId} FOR NO KEY UPDATE`,
  )
}

/** What the notebook holds. */
export async function measureNotebook(
  transaction: Transaction,
  { teamId, sandboxId }: Notebook,
): Promise<{ cells: number; characters: number; last: number }> {
  const { rows } = await transaction.execute<{ cells: number; characters: string; last: number }>(sql`
    SELECT count(*)::int AS cells, coalesce(sum(length(source)), 0) AS characters, coalesce(max(position), 0) AS last
    FROM coherex.notebook_cell WHERE team_id = ${teamId} AND sandbox_id = ${sandboxId}`)
  const [found] = rows
  return { cells: found?.cells ?? 0, characters: Number(found?.characters ?? 0), last: found?.last ?? 0 }
}

/** Why a cell with this text more does not fit; undefined when it does. */
export function whyTooLarge(held: { cells: number; characters: number }, source: string): string | undefined {
  if (held.cells >= largestNotebook.cells) return `the notebook has ${largestNotebook.cells} cells already`
  if (held.characters + source.length > largestNotebook.characters)
    return `the notebook holds ${largestNotebook.characters} characters at the most`
  return undefined
}

export async function insertCellRow(transaction: Transaction, row: CellRow): Promise<void> {
  await transaction.insert(notebookCellTable).values(row)
}

export async function updateCellRow(
  transaction: Transaction,
  notebook: Notebook & { id: string },
  change: Partial<CellRow>,
): Promise<void> {
  await transaction.update(notebookCellTable).set(change).where(named(notebook, notebook.id))
}

export async function deleteCellRow(transaction: Transaction, notebook: Notebook, id: string): Promise<void> {
  await transaction.delete(notebookCellTable).where(named(notebook, id))
}

export async function clearRuns(transaction: Transaction, notebook: Notebook): Promise<void> {
  await transaction.update(notebookCellTable).set({ runId: null }).where(cellsOf(notebook))
}

export async function deleteNotebook(transaction: Transaction, notebook: Notebook): Promise<void> {
  await transaction.delete(notebookCellTable).where(cellsOf(notebook))
}

/** Puts a cell after another one, or first with null. The others keep their order. */
export async function placeCell(
  transaction: Transaction,
  notebook: Notebook,
  { id, after }: { id: string; after: string | null },
): Promise<void> {
  const others = (await selectCellRows(transaction, notebook)).map((row) => row.id).filter((one) => one !== id)
  const at = after === null ? 0 : others.indexOf(after) + 1
  if (after !== null && at === 0) throw new CoherexError('not_found', 'There is no such cell to put it after')
  const order = others.toSpliced(at, 0, id)
  await transaction.execute(sql`
    UPDATE coherex.notebook_cell SET position = place.number
    FROM jsonb_array_elements_text(${JSON.stringify(order)}::jsonb) WITH ORDINALITY AS place (id, number)
    WHERE team_id = ${notebook.teamId} AND sandbox_id = ${notebook.sandboxId} AND notebook_cell.id = place.id`)
}

/** A fork begins with the notebook of the one it comes from. Before the cells that made variables, which name theirs. */
export async function copyNotebook(
  transaction: Transaction,
  { teamId, from, to }: { teamId: string; from: string; to: string },
): Promise<void> {
  await transaction.execute(sql`
    INSERT INTO coherex.notebook_cell
      (team_id, sandbox_id, id, position, kind, language, source, run_id, is_collapsed, updated_at)
    SELECT team_id, ${to}, id, position, kind, language, source, run_id, is_collapsed, updated_at
    FROM coherex.notebook_cell WHERE team_id = ${teamId} AND sandbox_id = ${from}`)
}

function cellsOf({ teamId, sandboxId }: Notebook) {
  return and(eq(notebookCellTable.teamId, teamId), eq(notebookCellTable.sandboxId, sandboxId))
}

function named(notebook: Notebook, id: string) {
  return and(cellsOf(notebook), eq(notebookCellTable.id, id))
}
