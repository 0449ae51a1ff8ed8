import { CoherexError } from '@coherex/contract'
import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Database } from '../../base/index.ts'
import { agentTable, agentVersionTable } from './agent-tables.ts'
import { builtInAgents } from './built-in-agents.ts'
import { toBuiltIn, toStoredAgent, type StoredAgent } from './stored-agent.ts'

/** Of a query over agents, which are named outright: a column alone would be taken for one of the inner query. */
export const counts = {
  newestVersion: sql<number>`(SELECT coalesce(max(v.version), 0) FROM coherex.agent_version v
    WHERE v.team_id = agent.team_id AND v.agent_name = agent.name)`,
  proposals: sql<number>`(SELECT count(*)::int FROM coherex.agent_version v
    WHERE v.team_id = agent.team_id AND v.agent_name = agent.name AND v.state = 'proposed')`,
}

/** The version in use, or one that was. Version 0 is what comes with the product. */
export async function getAgent(
  database: Database,
  teamId: string,
  name: string,
  version?: number,
): Promise<StoredAgent> {
  const [found] = await database.transaction({ team: teamId }, (transaction) =>
    transaction
      .select({ row: agentTable, version: agentVersionTable, ...counts })
      .from(agentTable)
      .leftJoin(
        agentVersionTable,
        and(
          eq(agentVersionTable.teamId, agentTable.teamId),
          eq(agentVersionTable.name, agentTable.name),
          eq(agentVersionTable.version, version ?? agentTable.version),
          // twice said: nothing that nobody accepted comes out of here
          inArray(agentVersionTable.state, ['approved', 'draft']),
        ),
      )
      .where(and(eq(agentTable.teamId, teamId), eq(agentTable.name, name))),
  )
  if (found?.version) return toStoredAgent(found.row, found.version, found)
  const builtIn = builtInAgents.get(name)
  if (builtIn && !version) return toBuiltIn(builtIn, found)
  throw new CoherexError('not_found', `There is no agent "${name}"`)
}
