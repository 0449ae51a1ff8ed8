import { CoherexError, type Run, type RunError, type RunRequest } from '@coherex/contract'
import { and, eq, isNull, sql, sum } from 'drizzle-orm'
import type { Database, Transaction } from '../../base/index.ts'
import { workspaceBytes } from '../../workspaces/index.ts'
import { attachmentTable } from '../attachment-table.ts'
import { programTable, runFileTable, runTable, usageDayTable } from '../run-table.ts'
import { hasEnded, workspaceOf } from '../run.ts'
import { sandboxFileTable, templateFileTable } from '../sandbox-table.ts'
import { selectKeptOutput } from './output-store.ts'

type RunRow = typeof runTable.$inferSelect
export type FileRow = Pick<typeof runFileTable.$inferSelect, 'path' | 'size' | 'hash'>

/** Ends the runs of a server that is gone; answers how many. */
export async function endAbandonedRuns(
  transaction: Transaction,
  { teamId, serverId, error }: { teamId: string; serverId: string; error: RunError },
): Promise<number> {
  const { rowCount } = await transaction
    .update(runTable)
    .set({ status: 'failed', error, endedAt: new Date() })
    .where(and(eq(runTable.teamId, teamId), eq(runTable.serverId, serverId), isNull(runTable.endedAt)))
  return rowCount ?? 0
}

export async function selectRun(transaction: Transaction, teamId: string, id: string): Promise<Run | undefined> {
  const [row] = await transaction.select().from(runTable).where(ofTeam(teamId, id))
  if (!row) return undefined
  const files = await transaction
    .select({ path: runFileTable.path, size: runFileTable.size })
    .from(runFileTable)
    .where(and(eq(runFileTable.teamId, teamId), eq(runFileTable.runId, id)))
    .orderBy(runFileTable.path)
  const run = toRun(row, files)
  return hasEnded(run) ? run : { ...run, output: await selectKeptOutput(transaction, teamId, id) }
}

export async function selectProgram(database: Database, teamId: string, runId: string) {
  const row = await selectWithProgram(database, teamId, runId)
  // values of environment variables are the business of whoever set them
  const { env: _env, ...options } = row.request
  return { code: row.code, entry: row.entry, files: row.files, options }
}

/** What was asked for, to be run again as it was. */
export async function selectRequest(database: Database, teamId: string, runId: string): Promise<RunRequest> {
  const row = await selectWithProgram(database, teamId, runId)
  const { code, entry, files, request } = row
  // a cell has none to choose
  return { ...request, code, files, ...(request.sandboxId === undefined ? { entry } : {}) }
}

async function selectWithProgram(database: Database, teamId: string, runId: string) {
  const [row] = await database.transaction({ team: teamId }, (transaction) =>
    transaction
      .select({
        code: programTable.code,
        entry: programTable.entry,
        files: programTable.files,
        request: runTable.request,
      })
      .from(runTable)
      .innerJoin(
        programTable,
        and(eq(programTable.teamId, runTable.teamId), eq(programTable.hash, runTable.programHash)),
      )
      .where(ofTeam(teamId, runId)),
  )
  if (!row) throw new CoherexError('not_found', 'There is no such run')
  return row
}

export async function selectRunFile(
  database: Database,
  teamId: string,
  runId: string,
  path: string,
): Promise<FileRow | undefined> {
  const [row] = await database.transaction({ team: teamId }, (transaction) =>
    transaction
      .select({ path: runFileTable.path, size: runFileTable.size, hash: runFileTable.hash })
      .from(runFileTable)
      .where(
        and(
          eq(runFileTable.teamId, teamId),
          eq(runFileTable.runId, runId),
          eq(runFileTable.path, path),
          sql`${runFileTable.expiresAt} > now()`,
        ),
      ),
  )
  return row
}

/** Seconds of running code the team has used today. */
export async function usedToday(transaction: Transaction, teamId: string): Promise<number> {
  const [row] = await transaction
    .select({ runMs: usageDayTable.runMs })
    .from(usageDayTable)
    .where(and(eq(usageDayTable.teamId, teamId), eq(usageDayTable.day, today())))
  return (row?.runMs ?? 0) / 1000
}

export async function storedMb(transaction: Transaction, teamId: string): Promise<number> {
  let bytes = 0
  for (const table of [runFileTable, sandboxFileTable, templateFileTable, attachmentTable]) {
    const [row] = await transaction
      .select({ bytes: sum(table.size) })
      .from(table)
      .where(eq(table.teamId, teamId))
    bytes += Number(row?.bytes ?? 0)
  }
  return (bytes + (await workspaceBytes(transaction, teamId))) / 1024 / 1024
}

/** Forgets files past their day; answers the blobs they named. */
export async function deleteExpiredFiles(transaction: Transaction, teamId: string): Promise<string[]> {
  const gone = await transaction
    .delete(runFileTable)
    .where(and(eq(runFileTable.teamId, teamId), sql`${runFileTable.expiresAt} < now()`))
    .returning({ hash: runFileTable.hash })
  return gone.map((row) => row.hash)
}

function ofTeam(teamId: string, id: string) {
  return and(eq(runTable.teamId, teamId), eq(runTable.id, id))
}

/** The day that usage counts for. */
export function today(): string {
  return new Date().toISOString().slice(0, 10)
}

function toRun(row: RunRow, files: Run['files']): Run {
  return {
    id: row.id,
    status: row.status,
    language: row.language,
    runtime: row.receipt,
    output: row.output,
    ...(row.result ? { result: row.result.value } : {}),
    ...(row.result?.text === undefined ? {} : { resultText: row.result.text }),
    ...(row.error ? { error: row.error } : {}),
    files,
    truncated: row.truncated,
    queuedMs: row.queuedMs,
    durationMs: row.durationMs,
    peakMemoryMb: row.peakMemoryMb,
    createdAt: row.createdAt.toISOString(),
    startedAt: row.startedAt?.toISOString() ?? null,
    endedAt: row.endedAt?.toISOString() ?? null,
    codeHash: row.programHash,
    createdBy: { id: row.personId, name: row.personName },
    ...(row.startedBy && { startedBy: row.startedBy }),
    ...(row.retryOf !== null && { retryOf: row.retryOf }),
    ...(row.threadId !== null && { threadId: row.threadId }),
    ...(row.artifactId !== null && { artifactId: row.artifactId }),
    ...(row.artifactVersion !== null && { artifactVersion: row.artifactVersion }),
    ...(row.reportedBy !== null && { reportedBy: row.reportedBy }),
    ...(row.tool && { tool: row.tool }),
    ...(row.privateTo !== null && { isPrivate: true }),
    ...workspaceOf(row.request),
    ...(row.request.sandboxId === undefined ? {} : { sandboxId: row.request.sandboxId }),
    signs: row.signs,
    requests: row.requests,
  }
}
