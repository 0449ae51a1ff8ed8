import type { AgentStatus, AgentSummary, AgentVersion, Page } from '@coherex/contract'
import { createTwoFilesPatch } from 'diff'
import { and, asc, desc, eq, gt, lt, or, sql } from 'drizzle-orm'
import { decodeCursor, takePage } from '../../access/index.ts'
import type { Database } from '../../base/index.ts'
import { counts, getAgent, selectVersion } from './agent-store.ts'
import { agentTable, agentVersionTable, type AgentVersionRow } from './agent-tables.ts'
import { builtInAgents } from './built-in-agents.ts'
import { toBuiltIn, toStoredAgent, toSummary } from './stored-agent.ts'

interface AgentFilters {
  limit: number
  cursor?: string | undefined
  status?: AgentStatus | undefined
  search?: string | undefined
}

/** The team's agents by name; those that come with the product stand before them on the first page. */
export async function listAgents(
  database: Database,
  teamId: string,
  { limit, cursor, status, search }: AgentFilters,
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
          eq(agentVersionTable.agentName, agentTable.name),
          eq(agentVersionTable.version, agentTable.version),
        ),
      )
      .where(
        and(
          eq(agentTable.teamId, teamId),
          after === undefined ? undefined : gt(agentTable.name, after),
          status ? eq(agentTable.status, status) : undefined,
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

export async function listAgentVersions(
  database: Database,
  teamId: string,
  name: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<AgentVersion>> {
  await getAgent(database, teamId, name)
  const before = cursor ? Number(decodeCursor(cursor, 1)[0]) || 0 : undefined
  const rows = await database.transaction({ team: teamId }, (transaction) =>
    transaction
      .select()
      .from(agentVersionTable)
      .where(
        and(
          eq(agentVersionTable.teamId, teamId),
          eq(agentVersionTable.agentName, name),
          before === undefined ? undefined : lt(agentVersionTable.version, before),
        ),
      )
      .orderBy(desc(agentVersionTable.version))
      .limit(limit + 1),
  )
  const page = takePage(rows, limit, (last) => [String(last.version)])
  return { ...page, items: page.items.map((row) => toVersion(row)) }
}

export async function getAgentVersion(
  database: Database,
  teamId: string,
  name: string,
  version: number,
): Promise<AgentVersion & { source: string }> {
  const row = await database.transaction({ team: teamId }, (transaction) =>
    selectVersion(transaction, teamId, name, version),
  )
  return { ...toVersion(row), source: row.source }
}

export async function diffAgentVersions(
  database: Database,
  teamId: string,
  name: string,
  { from, to }: { from: number; to: number },
): Promise<string> {
  const before = await getAgentVersion(database, teamId, name, from)
  const after = await getAgentVersion(database, teamId, name, to)
  if (before.source === after.source) return ''
  return createTwoFilesPatch(`${name}@${from}`, `${name}@${to}`, before.source, after.source)
}

export function toVersion(row: AgentVersionRow): AgentVersion {
  const { decidedBy, decidedByName } = row
  return {
    version: row.version,
    state: row.state,
    note: row.note,
    createdAt: row.createdAt.toISOString(),
    createdBy: { id: row.createdBy, name: row.createdByName },
    agent: row.byAgent,
    threadId: row.threadId,
    turnId: row.turnId,
    decidedAt: row.decidedAt?.toISOString() ?? null,
    decidedBy: decidedBy === null ? null : { id: decidedBy, name: decidedByName ?? '' },
    decisionNote: row.decisionNote,
  }
}
