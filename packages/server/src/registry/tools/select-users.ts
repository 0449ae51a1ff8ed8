import type { ToolUser } from '@coherex/contract'
import { and, asc, eq, ne, sql } from 'drizzle-orm'
import type { Transaction } from '../../base/index.ts'
import { agentTable, agentVersionTable } from '../agents/agent-tables.ts'
import { isCurrent } from './list-tools.ts'
import { toolTable, toolVersionTable } from './tool-tables.ts'

/** Triggers of its published version, which go with the tool. */
export async function selectTriggers(transaction: Transaction, teamId: string, name: string): Promise<ToolUser[]> {
  const { rows } = await transaction.execute<{ name: string; version: number }>(sql`
    SELECT trigger.name, tool.active_version AS version FROM coherex.trigger
    JOIN coherex.tool ON tool.team_id = trigger.team_id AND tool.name = trigger.tool_name
    WHERE trigger.team_id = ${teamId} AND trigger.tool_name = ${name} ORDER BY trigger.name`)
  return rows.map((row) => ({ ...row, kind: 'trigger' as const, pins: null }))
}

/** Agents that hold a tool and tools whose code calls it, in the versions that are used. */
export async function selectUsers(transaction: Transaction, teamId: string, name: string): Promise<ToolUser[]> {
  const agents = await transaction
    .select({
      name: agentTable.name,
      version: agentVersionTable.version,
      reference: sql<string>`reference`,
    })
    .from(agentTable)
    .innerJoin(
      agentVersionTable,
      and(
        eq(agentVersionTable.teamId, agentTable.teamId),
        eq(agentVersionTable.name, agentTable.name),
        eq(agentVersionTable.version, agentTable.version),
      ),
    )
    // a name has nothing in it that a pattern would read
    .innerJoin(
      sql`LATERAL jsonb_array_elements_text(coalesce(${agentVersionTable.definition}->'tools', '[]')) AS reference`,
      sql`reference ~ ${`^tool:${name}(@[0-9]+)?$`}`,
    )
    .where(and(eq(agentTable.teamId, teamId), ne(agentTable.status, 'archived')))
    .orderBy(asc(agentTable.name))
  const tools = await transaction
    .select({ name: toolTable.name, version: toolVersionTable.version, uses: toolVersionTable.uses })
    .from(toolTable)
    .innerJoin(toolVersionTable, isCurrent)
    .where(
      and(
        eq(toolTable.teamId, teamId),
        ne(toolTable.name, name),
        sql`${toolVersionTable.uses} @> ${JSON.stringify([{ name }])}::jsonb`,
      ),
    )
    .orderBy(asc(toolTable.name))
  return [
    ...agents.map(({ reference, ...user }) => ({
      ...user,
      kind: 'agent' as const,
      pins: Number(reference.split('@')[1]) || null,
    })),
    ...tools.flatMap(({ uses, ...user }) =>
      uses.filter((used) => used.name === name).map(({ pins }) => ({ ...user, kind: 'tool' as const, pins })),
    ),
  ]
}
