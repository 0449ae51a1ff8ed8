import type { AgentDefinition, AgentStatus, AgentSummary, Page } from '@coherex/contract'
import { and, asc, eq, gt, or, sql, type SQL } from 'drizzle-orm'
import { decodeCursor, takePage } from '../../access/index.ts'
import type { Database } from '../../base/index.ts'
import { counts } from './agent-store.ts'
import { agentTable, agentVersionTable } from './agent-tables.ts'
import { builtInAgents } from './built-in-agents.ts'
import { toBuiltIn, toStoredAgent, toSummary } from './stored-agent.ts'

export interface AgentFilters {
  limit: number
  cursor?: string | undefined
  status?: AgentStatus | undefined
  search?: string | undefined
  /** `agent:NAME` or `skill:NAME`. */
  uses?: string | undefined
}

/** The team's agents by name; those that come with the product stand before them on the first page. */
export async function listAgents(
  database: Database,
  teamId: string,
  { limit, cursor, status, search, uses }: AgentFilters,
): Promise<Page<AgentSummary>> {
  const after = cursor ? decodeCursor(cursor, 1)[0] : undefined
  const pattern = search ? `%${search.replace(/[\\%_]/g, '\\$&')}%` : undefined
  const { rows, own } = await database.transaction({ team: teamId }, async (transaction) => ({
    rows: await transaction
      .select({ row: agentTable, version: agentVersionTable, ...counts })
      .from(agentTable)
      .innerJoin(
        agentVersionTable,
        and(
          eq(agentVersionTable.teamId, agentTable.teamId),
          eq(agentVersionTable.name, agentTable.name),
          eq(agentVersionTable.version, agentTable.version),
        ),
      )
      .where(
        and(
          eq(agentTable.teamId, teamId),
          after === undefined ? undefined : gt(agentTable.name, after),
          status ? eq(agentTable.status, status) : undefined,
          uses === undefined ? undefined : usesIn(uses),
          pattern === undefined
            ? undefined
            : or(
                sql`${agentTable.name} ILIKE ${pattern}`,
                sql`${agentVersionTable.definition}->>'description' ILIKE ${pattern}`,
              ),
        ),
      )
      .orderBy(asc(agentTable.name))
      .limit(limit + 1),
    own: await transaction
      .select({ name: agentTable.name, version: agentTable.version, ...counts })
      .from(agentTable)
      .where(
        and(eq(agentTable.teamId, teamId), sql`${agentTable.name} = ANY(${sql.param([...builtInAgents.keys()])})`),
      ),
  }))
  const builtIn = [...builtInAgents.values()]
    .filter(({ definition }) => !uses || isUsing(definition, uses))
    .map((agent) =>
      toSummary(
        toBuiltIn(
          agent,
          own.find(({ name }) => name === agent.definition.name),
        ),
      ),
    )
    .filter(({ name }) => !own.some((one) => one.name === name && one.version > 0))
    .filter((agent) => !status || agent.status === status)
    .filter(
      ({ name, description }) => !search || `${name}\n${description}`.toLowerCase().includes(search.toLowerCase()),
    )
  const page = takePage(rows, limit, ({ row }) => [row.name])
  const stored = page.items.map((one) => toSummary(toStoredAgent(one.row, one.version, one)))
  return { ...page, items: after === undefined ? [...builtIn, ...stored] : stored }
}

const skillOf = (uses: string): string | undefined => /^skill:(.*)$/.exec(uses)?.[1]

/** Agents are asked through a tool; skills have a list of their own, or all are meant. */
function usesIn(uses: string): SQL {
  const skill = skillOf(uses)
  const { definition } = agentVersionTable
  if (skill === undefined) return sql`${definition}->'tools' @> to_jsonb(${uses}::text)`
  return sql`(${definition}->'skills' @> to_jsonb(${skill}::text) OR ${definition}->>'skills' = 'all')`
}

function isUsing({ tools = [], skills = [] }: AgentDefinition, uses: string): boolean {
  const skill = skillOf(uses)
  if (skill === undefined) return tools.includes(uses as (typeof tools)[number])
  return skills === 'all' || skills.includes(skill)
}
