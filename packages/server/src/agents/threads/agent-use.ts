import type { Agent } from '@coherex/contract'
import { sql } from 'drizzle-orm'
import type { Database } from '../../base/index.ts'

/** What all turns of an agent took together. */
export async function readAgentUse(database: Database, teamId: string, name: string): Promise<Agent['use']> {
  const { rows } = await database.transaction({ team: teamId, upkeep: true }, (transaction) =>
    transaction.execute<Agent['use'] & Record<string, unknown>>(sql`
      SELECT count(*) AS turns,
        coalesce(sum(input_tokens), 0)::float8 AS "inputTokens",
        coalesce(sum(cached_input_tokens), 0)::float8 AS "cachedInputTokens",
        coalesce(sum(output_tokens), 0)::float8 AS "outputTokens",
        -- a sum with something unknown in it is unknown
        CASE WHEN bool_or(cost_usd IS NULL) THEN NULL ELSE coalesce(sum(cost_usd), 0) END AS "costUsd",
        coalesce(sum(extract(epoch FROM coalesce(ended_at, now()) - started_at) * 1000), 0)::float8 AS "durationMs"
      FROM coherex.turn WHERE team_id = ${teamId} AND agent_name = ${name}`),
  )
  const [use] = rows
  if (!use) throw new Error('a sum has no row')
  return use
}
