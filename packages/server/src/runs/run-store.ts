import {
  CoherexError,
  type GivenFile,
  type Page,
  type Receipt,
  type Run,
  type RunError,
  type RunRequest,
  type RunSummary,
} from '@coherex/contract'
import { and, desc, eq, exists, ilike, isNull, lt, sql, sum, type SQL } from 'drizzle-orm'
import { decodeCursor, takePage } from '../access/index.ts'
import { storable, type Database, type Transaction } from '../base/index.ts'
import { workspaceBytes } from '../workspaces/index.ts'
import { unusedBlobs } from './blob-use.ts'
import { programTable, runFileTable, runTable, usageDayTable } from './run-table.ts'
import { hasEnded, workspaceOf } from './run.ts'
import { sandboxFileTable, templateFileTable } from './sandboxes/sandbox-table.ts'

type RunRow = typeof runTable.$inferSelect
export type FileRow = Pick<typeof runFileTable.$inferSelect, 'path' | 'size' | 'hash'>

const keptHours = 24

/** A run's row as its columns are named, with every column there. */
export type StoredRun = ReturnType<typeof toStoredRun>

export function toStoredRun({
  teamId,
  run,
  request,
  serverId,
}: {
  teamId: string
  run: Run
  request: RunRequest
  serverId: string
}) {
  const { code: _code, files: _files, ...asked } = request
  return {
    team_id: teamId,
    id: run.id,
    person_id: run.createdBy.id,
    person_name: run.createdBy.name,
    server_id: serverId,
    status: run.status,
    language: run.language,
    program_hash: run.codeHash,
    request: storable(asked),
    receipt: run.runtime,
    output: run.output,
    result: run.result === undefined ? null : { value: run.result },
    error: run.error ?? null,
    signs: run.signs,
    requests: run.requests,
    truncated: run.truncated,
    queued_ms: run.queuedMs,
    duration_ms: run.durationMs,
    peak_memory_mb: run.peakMemoryMb,
    created_at: run.createdAt,
    started_at: run.startedAt,
    ended_at: run.endedAt,
    started_by: run.startedBy ?? null,
    retry_of: run.retryOf ?? null,
  }
}

export interface StoredProgram {
  team_id: string
  hash: string
  code: string
  entry: string
  files: Record<string, GivenFile>
  created_at: string
}

/** What is to be written of one run: rows as JSON text, each made once, so that their size is known before they are sent. */
export interface RunWrite {
  teamId: string
  run: string
  /** Absent when the program and the start were written before. */
  beginning?: { hash: string; program: string; start: string } | undefined
  files: string[]
  alert?: string | undefined
}

/** Writes runs, of whatever teams, in one round trip. A run that is there already is ended, once; its usage counts once. */
export async function writeRuns(database: Database, writes: RunWrite[]): Promise<void> {
  const day = today()
  const teams = Map.groupBy(writes, (write) => write.teamId)
  const batches = [...teams].map(([teamId, own]) => {
    const beginnings = own.flatMap(({ beginning }) => beginning ?? [])
    const programs = new Map(beginnings.map(({ hash, program }) => [hash, program]))
    return `{"team_id":${JSON.stringify(teamId)},"day":"${day}","programs":${list(programs.values())},"runs":${list(
      own.map(({ run }) => run),
    )},"starts":${list(beginnings.map(({ start }) => start))},"files":${list(
      own.flatMap(({ files }) => files),
    )},"alerts":${list(own.flatMap(({ alert }) => alert ?? []))}}`
  })
  await database.call('record_runs', list(batches))
}

export function toStoredFile({ teamId, runId, path, size, hash }: FileRow & { teamId: string; runId: string }) {
  const expiresAt = new Date(Date.now() + keptHours * 3_600_000)
  return { team_id: teamId, run_id: runId, path, size, hash, expires_at: expiresAt.toISOString() }
}

/** Ends a run of a server that is gone. */
export async function endAbandonedRun(
  transaction: Transaction,
  teamId: string,
  id: string,
  error: RunError,
): Promise<void> {
  await transaction
    .update(runTable)
    .set({ status: 'failed', error, endedAt: new Date() })
    .where(and(eq(runTable.teamId, teamId), eq(runTable.id, id), isNull(runTable.endedAt)))
}

export async function selectRun(transaction: Transaction, teamId: string, id: string): Promise<Run | undefined> {
  const [row] = await transaction.select().from(runTable).where(ofTeam(teamId, id))
  if (!row) return undefined
  const files = await transaction
    .select({ path: runFileTable.path, size: runFileTable.size })
    .from(runFileTable)
    .where(and(eq(runFileTable.teamId, teamId), eq(runFileTable.runId, id)))
    .orderBy(runFileTable.path)
  return toRun(row, files)
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
  return { ...row.request, code: row.code, entry: row.entry, files: row.files }
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

export interface RunFilters {
  status?: Run['status'] | undefined
  language?: Run['language'] | undefined
  runtime?: string | undefined
  createdBy?: string | undefined
  sandboxId?: string | undefined
  search?: string | undefined
}

export async function selectRuns(
  database: Database,
  teamId: string,
  { limit, cursor, ...filters }: RunFilters & { limit: number; cursor?: string | undefined },
): Promise<Page<RunSummary>> {
  const conditions: SQL[] = [eq(runTable.teamId, teamId)]
  // a row learns of its run's end only; how far an open run is, the server that holds it knows
  if (filters.status && !hasEnded({ status: filters.status })) conditions.push(isNull(runTable.endedAt))
  else if (filters.status) conditions.push(eq(runTable.status, filters.status))
  if (filters.language) conditions.push(eq(runTable.language, filters.language))
  if (filters.runtime) conditions.push(sql`${runTable.receipt}->>'name' = ${filters.runtime}`)
  if (filters.sandboxId) conditions.push(sql`${runTable.request}->>'sandboxId' = ${filters.sandboxId}`)
  if (filters.createdBy) conditions.push(eq(runTable.personId, filters.createdBy))
  if (cursor) conditions.push(lt(runTable.id, decodeCursor(cursor, 1)[0] ?? ''))
  return database.transaction({ team: teamId }, async (transaction) => {
    if (filters.search) {
      const pattern = `%${filters.search.replace(/[\\%_]/g, '\\$&')}%`
      conditions.push(
        exists(
          transaction
            .select({ one: sql`1` })
            .from(programTable)
            .where(
              and(
                eq(programTable.teamId, teamId),
                eq(programTable.hash, runTable.programHash),
                ilike(programTable.code, pattern),
              ),
            ),
        ),
      )
    }
    const rows = await transaction
      .select({
        run: {
          id: runTable.id,
          status: runTable.status,
          language: runTable.language,
          // names of variables are for those who look at one run
          runtime: sql<Receipt | null>`${runTable.receipt} - 'variables'`,
          truncated: runTable.truncated,
          queuedMs: runTable.queuedMs,
          durationMs: runTable.durationMs,
          peakMemoryMb: runTable.peakMemoryMb,
          createdAt: runTable.createdAt,
          personId: runTable.personId,
          personName: runTable.personName,
          error: runTable.error,
        },
        code: sql<string>`left(${programTable.code}, 300)`,
      })
      .from(runTable)
      .innerJoin(
        programTable,
        and(eq(programTable.teamId, runTable.teamId), eq(programTable.hash, runTable.programHash)),
      )
      .where(and(...conditions))
      .orderBy(desc(runTable.id))
      .limit(limit + 1)
    const page = takePage(rows, limit, (last) => [last.run.id])
    return {
      ...page,
      items: page.items.map(({ run: { personId, personName, error, createdAt, ...run }, code }) => ({
        ...run,
        createdAt: createdAt.toISOString(),
        createdBy: { id: personId, name: personName },
        error: error && { kind: error.kind, message: error.message },
        firstLine:
          code
            .split('\n')
            .find((line) => line.trim() !== '')
            ?.slice(0, 120) ?? '',
      })),
    }
  })
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
  for (const table of [runFileTable, sandboxFileTable, templateFileTable]) {
    const [row] = await transaction
      .select({ bytes: sum(table.size) })
      .from(table)
      .where(eq(table.teamId, teamId))
    bytes += Number(row?.bytes ?? 0)
  }
  return (bytes + (await workspaceBytes(transaction, teamId))) / 1024 / 1024
}

/** Runs of a server that is gone, which will not end by themselves. */
export async function selectAbandoned(transaction: Transaction, teamId: string, serverId: string): Promise<string[]> {
  const rows = await transaction
    .select({ id: runTable.id })
    .from(runTable)
    .where(and(eq(runTable.teamId, teamId), eq(runTable.serverId, serverId), isNull(runTable.endedAt)))
  return rows.map((row) => row.id)
}

/** Forgets files past their day; answers the blobs nobody names any more. */
export async function deleteExpiredFiles(transaction: Transaction, teamId: string): Promise<string[]> {
  const gone = await transaction
    .delete(runFileTable)
    .where(and(eq(runFileTable.teamId, teamId), sql`${runFileTable.expiresAt} < now()`))
    .returning({ hash: runFileTable.hash })
  return unusedBlobs(
    transaction,
    teamId,
    gone.map((row) => row.hash),
  )
}

function ofTeam(teamId: string, id: string) {
  return and(eq(runTable.teamId, teamId), eq(runTable.id, id))
}

function list(texts: Iterable<string>): string {
  return `[${[...texts].join(',')}]`
}

function today(): string {
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
    ...workspaceOf(row.request),
    ...(row.request.sandboxId === undefined ? {} : { sandboxId: row.request.sandboxId }),
    signs: row.signs,
    requests: row.requests,
  }
}
