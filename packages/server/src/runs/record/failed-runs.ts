import type { Run, RunError, StartedBy } from '@coherex/contract'
import { sql } from 'drizzle-orm'
import type { Transaction } from '../../base/index.ts'

export interface FailedRun {
  id: string
  language: string
  error: RunError | null
  personName: string
  startedBy: StartedBy | null
  tool: NonNullable<Run['tool']> | null
}

const mostRuns = 100

/** Runs that failed since a moment, oldest first; what is private sets nothing off that others see. Those of the two minutes before come again: what ends is written down a little later. */
export async function failedRunsSince(transaction: Transaction, teamId: string, since: string): Promise<FailedRun[]> {
  const { rows } = await transaction.execute<{
    id: string
    language: string
    error: RunError | null
    person_name: string
    started_by: StartedBy | null
    tool: NonNullable<Run['tool']> | null
  }>(sql`
    SELECT id, language, error, person_name, started_by, tool FROM coherex.run
    WHERE team_id = ${teamId} AND status = 'failed' AND reported_by IS NULL AND ended_at > ${since}::timestamptz - interval '2 minutes'
      AND created_at > ${since}::timestamptz - interval '1 day'
      AND run.private_to IS NULL AND NOT EXISTS (SELECT FROM coherex.thread
        WHERE thread.team_id = run.team_id AND thread.id = run.thread_id AND thread.private_to IS NOT NULL)
    ORDER BY ended_at DESC LIMIT ${mostRuns}`)
  return rows
    .map(({ person_name: personName, started_by: startedBy, ...run }) => ({ ...run, personName, startedBy }))
    .toReversed()
}

/** The turn of an agent that a run was begun by. */
export async function findRunStarter(
  transaction: Transaction,
  teamId: string,
  runId: string,
): Promise<StartedBy | null> {
  const { rows } = await transaction.execute<{ started_by: StartedBy | null }>(
    sql`SELECT started_by FROM coherex.run WHERE team_id = ${teamId} AND id = ${runId}`,
  )
  return rows[0]?.started_by ?? null
}
