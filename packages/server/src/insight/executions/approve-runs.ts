import type { StartedBy } from '@coherex/contract'
import { sql } from 'drizzle-orm'
import type { TeamCaller } from '../../access/index.ts'
import type { Agents, RepeatedCall } from '../../agents/index.ts'
import type { Database } from '../../base/index.ts'

interface ApproveDeps {
  database: Database
  agents: Agents
}

// whoever repeats a repetition this often is not mistaken for the one who began
const longestLine = 1_000

/** The calls of agents that these runs repeat: their own, and those of the runs that they do again. */
export async function findCalls(
  database: Database,
  teamId: string,
  runIds: readonly string[],
): Promise<RepeatedCall[]> {
  if (runIds.length === 0) return []
  const { rows } = await database.transaction({ team: teamId, upkeep: true }, (transaction) =>
    transaction.execute<{ started_by: StartedBy }>(sql`
      WITH RECURSIVE line AS (
        SELECT id, retry_of, started_by, 1 AS depth FROM coherex.run
        WHERE team_id = ${teamId} AND id = ANY(${sql.param([...runIds])})
        UNION ALL
        SELECT run.id, run.retry_of, run.started_by, line.depth + 1 FROM coherex.run
        JOIN line ON run.team_id = ${teamId} AND run.id = line.retry_of
        WHERE line.depth < ${longestLine}
      )
      SELECT DISTINCT started_by FROM line WHERE started_by->>'kind' = 'agent'`),
  )
  return rows.flatMap(({ started_by: { id, callId } }) => (id && callId ? [{ turnId: id, callId }] : []))
}

/** Throws unless the caller approves again what the calls behind these runs needed an approval for. */
export async function approveRuns(
  { database, agents }: ApproveDeps,
  caller: TeamCaller,
  { runIds, approve }: { runIds: readonly string[]; approve?: readonly string[] | undefined },
): Promise<void> {
  const calls = await findCalls(database, caller.teamId, runIds)
  await agents.approvals.again(caller, { calls, hashes: approve })
}
