import type { Page, Receipt, Run, RunSummary } from '@coherex/contract'
import { and, desc, eq, exists, ilike, isNull, lt, sql, type SQL } from 'drizzle-orm'
import { decodeCursor, takePage } from '../../access/index.ts'
import type { Database } from '../../base/index.ts'
import { programTable, runTable } from '../run-table.ts'
import { hasEnded } from '../run.ts'

export interface RunFilters {
  status?: Run['status'] | undefined
  language?: Run['language'] | undefined
  runtime?: string | undefined
  createdBy?: string | undefined
  sandboxId?: string | undefined
  workspaceId?: string | undefined
  search?: string | undefined
}

/** A page of a team's runs, newest first. */
export async function selectRuns(
  database: Database,
  teamId: string,
  { limit, cursor, ...filters }: RunFilters & { limit: number; cursor?: string | undefined },
): Promise<Page<RunSummary>> {
  const conditions: SQL[] = [eq(runTable.teamId, teamId)]
  // a row lags behind while its run is open: how far it is, the server that holds it knows
  if (filters.status && !hasEnded({ status: filters.status })) conditions.push(isNull(runTable.endedAt))
  else if (filters.status) conditions.push(eq(runTable.status, filters.status))
  if (filters.language) conditions.push(eq(runTable.language, filters.language))
  if (filters.runtime) conditions.push(sql`${runTable.receipt}->>'name' = ${filters.runtime}`)
  if (filters.sandboxId) conditions.push(sql`${runTable.request}->>'sandboxId' = ${filters.sandboxId}`)
  if (filters.workspaceId) conditions.push(sql`${runTable.request}->>'workspaceId' = ${filters.workspaceId}`)
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
          runtime: sql<Receipt | null>`${runTable.receipt} - 'variables' - 'lock' - 'base'`,
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
        entry: programTable.entry,
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
      items: page.items.map(({ run: { personId, personName, error, createdAt, ...run }, code, entry }) => ({
        ...run,
        entry,
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
