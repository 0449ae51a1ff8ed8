import type { OutputLine } from '@coherex/contract'
import { and, eq, isNull, sql } from 'drizzle-orm'
import type { Transaction } from '../../base/index.ts'
import { runOutputTable, runTable } from '../run-table.ts'

/** What was kept of the output of a run that is under way. */
export async function selectKeptOutput(transaction: Transaction, teamId: string, id: string): Promise<OutputLine[]> {
  const pieces = await transaction
    .select({ lines: runOutputTable.lines })
    .from(runOutputTable)
    .where(ofRun(teamId, id))
    .orderBy(runOutputTable.first)
  return pieces.flatMap(({ lines }) => lines)
}

/** Runs of a server that is gone of whose output something was kept. */
export async function selectAbandonedOutputs(
  transaction: Transaction,
  teamId: string,
  serverId: string,
): Promise<string[]> {
  const rows = await transaction
    .selectDistinct({ id: runTable.id })
    .from(runTable)
    .innerJoin(runOutputTable, and(eq(runOutputTable.teamId, runTable.teamId), eq(runOutputTable.runId, runTable.id)))
    .where(and(eq(runTable.teamId, teamId), eq(runTable.serverId, serverId), isNull(runTable.endedAt)))
  return rows.map(({ id }) => id)
}

/** Makes what was kept of a run's output the output it has. It ran at least until its last line. */
export async function gatherOutput(transaction: Transaction, teamId: string, id: string): Promise<void> {
  await transaction.execute(sql`
    UPDATE coherex.run SET output = kept.output, duration_ms = kept.last_at
    FROM (
      SELECT json_agg(line ORDER BY first, place) AS output, max((line->>'at')::double precision) AS last_at
      FROM coherex.run_output, json_array_elements(lines) WITH ORDINALITY AS printed (line, place)
      WHERE team_id = ${teamId} AND run_id = ${id}
    ) AS kept
    WHERE run.team_id = ${teamId} AND run.id = ${id}`)
  await transaction.delete(runOutputTable).where(ofRun(teamId, id))
}

function ofRun(teamId: string, id: string) {
  return and(eq(runOutputTable.teamId, teamId), eq(runOutputTable.runId, id))
}
