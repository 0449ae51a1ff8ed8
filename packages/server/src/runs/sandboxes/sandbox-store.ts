import type { Page, SandboxStatus } from '@coherex/contract'
import { and, asc, count, desc, eq, inArray, isNotNull, lt, ne, sql, sum, type SQL } from 'drizzle-orm'
import { decodeCursor, takePage } from '../../access/index.ts'
import type { Transaction } from '../../base/index.ts'
import { notebookCellTable } from '../cell-table.ts'
import { copyNotebook } from '../cells/cell-store.ts'
import { programTable, runTable } from '../run-table.ts'
import { sandboxCellTable, sandboxFileTable, sandboxTable } from '../sandbox-table.ts'
import type { SandboxRow } from './sandbox.ts'

export type SavedFile = Omit<typeof sandboxFileTable.$inferSelect, 'teamId' | 'sandboxId'>
export type SavedCount = { files: number; bytes: number }

const endedKeptDays = 7

export async function insertSandbox(transaction: Transaction, row: SandboxRow): Promise<void> {
  await transaction.insert(sandboxTable).values(row)
}

export async function selectSandbox(
  transaction: Transaction,
  teamId: string,
  id: string,
): Promise<SandboxRow | undefined> {
  const [row] = await transaction.select().from(sandboxTable).where(named(teamId, id))
  return row
}

export async function selectSandboxes(
  transaction: Transaction,
  teamId: string,
  { limit, cursor, status }: { limit: number; cursor?: string | undefined; status?: SandboxStatus | undefined },
): Promise<Page<SandboxRow>> {
  const conditions: SQL[] = [
    eq(sandboxTable.teamId, teamId),
    status ? eq(sandboxTable.status, status) : ne(sandboxTable.status, 'ended'),
  ]
  if (cursor) conditions.push(lt(sandboxTable.id, decodeCursor(cursor, 1)[0] ?? ''))
  const rows = await transaction
    .select()
    .from(sandboxTable)
    .where(and(...conditions))
    .orderBy(desc(sandboxTable.id))
    .limit(limit + 1)
  return takePage(rows, limit, (last) => [last.id])
}

/** The sandboxes of a thread that have not ended. */
export async function selectIdsOfThread(transaction: Transaction, teamId: string, threadId: string): Promise<string[]> {
  const rows = await transaction
    .select({ id: sandboxTable.id })
    .from(sandboxTable)
    .where(and(eq(sandboxTable.teamId, teamId), eq(sandboxTable.threadId, threadId), ne(sandboxTable.status, 'ended')))
  return rows.map(({ id }) => id)
}

export async function countSandboxes(transaction: Transaction, teamId: string): Promise<number> {
  const [row] = await transaction
    .select({ count: count() })
    .from(sandboxTable)
    .where(and(eq(sandboxTable.teamId, teamId), ne(sandboxTable.status, 'ended')))
  return row?.count ?? 0
}

export async function updateSandbox(
  transaction: Transaction,
  teamId: string,
  id: string,
  change: Partial<SandboxRow>,
): Promise<void> {
  await transaction.update(sandboxTable).set(change).where(named(teamId, id))
}

/** Puts to sleep what a server with this id left running; answers how many. */
export async function putAbandonedToSleep(
  transaction: Transaction,
  teamId: string,
  { serverId, reason }: { serverId: string; reason: string },
): Promise<number> {
  const rows = await transaction
    .update(sandboxTable)
    .set({ status: 'sleeping', reason })
    .where(
      and(eq(sandboxTable.teamId, teamId), eq(sandboxTable.serverId, serverId), eq(sandboxTable.status, 'running')),
    )
    .returning({ id: sandboxTable.id })
  return rows.length
}

/** Forgets sandboxes that ended a week ago. */
export async function deleteEnded(transaction: Transaction, teamId: string): Promise<void> {
  await transaction
    .delete(sandboxTable)
    .where(
      and(
        eq(sandboxTable.teamId, teamId),
        sql`${sandboxTable.endedAt} < now() - make_interval(days => ${endedKeptDays})`,
      ),
    )
}

export async function selectSaved(transaction: Transaction, teamId: string, sandboxId: string): Promise<SavedFile[]> {
  return transaction
    .select({
      path: sandboxFileTable.path,
      size: sandboxFileTable.size,
      hash: sandboxFileTable.hash,
      modifiedAt: sandboxFileTable.modifiedAt,
      isExecutable: sandboxFileTable.isExecutable,
      linkTarget: sandboxFileTable.linkTarget,
    })
    .from(sandboxFileTable)
    .where(savedOf(teamId, sandboxId))
    .orderBy(asc(sandboxFileTable.path))
}

export async function countSaved(
  transaction: Transaction,
  teamId: string,
  ids: string[],
): Promise<Map<string, SavedCount>> {
  if (ids.length === 0) return new Map()
  const rows = await transaction
    .select({ id: sandboxFileTable.sandboxId, files: count(), bytes: sum(sandboxFileTable.size) })
    .from(sandboxFileTable)
    .where(
      and(
        eq(sandboxFileTable.teamId, teamId),
        inArray(sandboxFileTable.sandboxId, ids),
        isNotNull(sandboxFileTable.hash),
      ),
    )
    .groupBy(sandboxFileTable.sandboxId)
  return new Map(rows.map(({ id, files, bytes }) => [id, { files, bytes: Number(bytes ?? 0) }]))
}

/** Writes what changed among the saved files; answers hashes that may be named no more. */
export async function updateSaved(
  transaction: Transaction,
  { teamId, id }: { teamId: string; id: string },
  { written, removed }: { written: SavedFile[]; removed: string[] },
): Promise<string[]> {
  const paths = [...removed, ...written.map(({ path }) => path)]
  if (paths.length === 0) return []
  const { rows } = await transaction.execute<{ hash: string | null }>(sql`
    DELETE FROM coherex.sandbox_file
    WHERE team_id = ${teamId} AND sandbox_id = ${id}
      AND path IN (SELECT jsonb_array_elements_text(${JSON.stringify(paths)}::jsonb))
    RETURNING hash`)
  if (written.length > 0) {
    const records = written.map(({ path, size, hash, modifiedAt, isExecutable, linkTarget }) => ({
      team_id: teamId,
      sandbox_id: id,
      path,
      size,
      hash,
      modified_at: modifiedAt.toISOString(),
      is_executable: isExecutable,
      link_target: linkTarget,
    }))
    await transaction.execute(sql`
      INSERT INTO coherex.sandbox_file (team_id, sandbox_id, path, size, hash, modified_at, is_executable, link_target)
      SELECT team_id, sandbox_id, path, size, hash, modified_at, is_executable, link_target
      FROM jsonb_populate_recordset(NULL::coherex.sandbox_file, ${JSON.stringify(records)}::jsonb)`)
  }
  return rows.flatMap(({ hash }) => hash ?? [])
}

export async function deleteSaved(transaction: Transaction, teamId: string, sandboxId: string): Promise<string[]> {
  const rows = await transaction
    .delete(sandboxFileTable)
    .where(savedOf(teamId, sandboxId))
    .returning({ hash: sandboxFileTable.hash })
  return rows.flatMap(({ hash }) => hash ?? [])
}

/** A fork starts with the files and the cells of the one it comes from. */
export async function copyContents(transaction: Transaction, teamId: string, from: string, to: string): Promise<void> {
  await transaction.execute(sql`
    INSERT INTO coherex.sandbox_file (team_id, sandbox_id, path, size, hash, modified_at, is_executable, link_target)
    SELECT team_id, ${to}, path, size, hash, modified_at, is_executable, link_target FROM coherex.sandbox_file
    WHERE team_id = ${teamId} AND sandbox_id = ${from}`)
  await copyNotebook(transaction, { teamId, from, to })
  await transaction.execute(sql`
    INSERT INTO coherex.sandbox_cell (team_id, sandbox_id, run_id, context, cell_id)
    SELECT team_id, ${to}, run_id, context, cell_id FROM coherex.sandbox_cell
    WHERE team_id = ${teamId} AND sandbox_id = ${from}`)
}

/** Keeps a run that made variables; it takes the place of an earlier run of the same cell in the same session. */
export async function insertCell(
  transaction: Transaction,
  { teamId, sandboxId, runId, context }: { teamId: string; sandboxId: string; runId: string; context: string },
): Promise<void> {
  await transaction.execute(sql`
    WITH cell AS (
      SELECT id FROM coherex.notebook_cell
      WHERE team_id = ${teamId} AND sandbox_id = ${sandboxId} AND run_id = ${runId}
    ), before AS (
      DELETE FROM coherex.sandbox_cell
      WHERE team_id = ${teamId} AND sandbox_id = ${sandboxId} AND context = ${context} AND cell_id IN (SELECT id FROM cell)
    )
    INSERT INTO coherex.sandbox_cell (team_id, sandbox_id, run_id, context, cell_id)
    VALUES (${teamId}, ${sandboxId}, ${runId}, ${context}, (SELECT id FROM cell))`)
}

export async function deleteCells(
  transaction: Transaction,
  teamId: string,
  sandboxId: string,
  context?: string,
): Promise<void> {
  await transaction.delete(sandboxCellTable).where(cellsOf(teamId, sandboxId, context))
}

/** The runs that made a sandbox's variables, with their programs, in the order of the notebook; first those that have no cell in it. */
export async function selectCells(transaction: Transaction, teamId: string, sandboxId: string, context?: string) {
  return transaction
    .select({
      runId: sandboxCellTable.runId,
      context: sandboxCellTable.context,
      cellId: sandboxCellTable.cellId,
      language: runTable.language,
      request: runTable.request,
      code: programTable.code,
      files: programTable.files,
    })
    .from(sandboxCellTable)
    .innerJoin(runTable, and(eq(runTable.teamId, sandboxCellTable.teamId), eq(runTable.id, sandboxCellTable.runId)))
    .innerJoin(programTable, and(eq(programTable.teamId, runTable.teamId), eq(programTable.hash, runTable.programHash)))
    .leftJoin(
      notebookCellTable,
      and(
        eq(notebookCellTable.teamId, sandboxCellTable.teamId),
        eq(notebookCellTable.sandboxId, sandboxCellTable.sandboxId),
        eq(notebookCellTable.id, sandboxCellTable.cellId),
      ),
    )
    .where(cellsOf(teamId, sandboxId, context))
    .orderBy(sql`${notebookCellTable.position} NULLS FIRST`, asc(sandboxCellTable.runId))
}

function named(teamId: string, id: string) {
  return and(eq(sandboxTable.teamId, teamId), eq(sandboxTable.id, id))
}

function savedOf(teamId: string, sandboxId: string) {
  return and(eq(sandboxFileTable.teamId, teamId), eq(sandboxFileTable.sandboxId, sandboxId))
}

function cellsOf(teamId: string, sandboxId: string, context: string | undefined) {
  return and(
    eq(sandboxCellTable.teamId, teamId),
    eq(sandboxCellTable.sandboxId, sandboxId),
    ...(context === undefined ? [] : [eq(sandboxCellTable.context, context)]),
  )
}
