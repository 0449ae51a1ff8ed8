import { CoherexError, type McpServer } from '@coherex/contract'
import { and, asc, eq, ne } from 'drizzle-orm'
import type { Transaction } from '../../base/index.ts'
import { mcpServerTable, mcpToolTable, type McpServerRow, type McpToolRow } from './mcp-tables.ts'
import { statusOf } from './mcp-tool.ts'

export interface ServerName {
  teamId: string
  name: string
}

export async function selectServer(
  transaction: Transaction,
  { teamId, name }: ServerName,
  { lock = false }: { lock?: boolean } = {},
): Promise<McpServerRow> {
  const found = transaction.select().from(mcpServerTable).where(ofServer({ teamId, name }))
  const [row] = await (lock ? found.for('update') : found)
  if (!row) throw new CoherexError('not_found', `The team has no MCP server "${name}"`)
  return row
}

export function ofServer({ teamId, name }: ServerName) {
  return and(eq(mcpServerTable.teamId, teamId), eq(mcpServerTable.name, name))
}

export function toolsOf({ teamId, name }: ServerName) {
  return and(eq(mcpToolTable.teamId, teamId), eq(mcpToolTable.serverName, name))
}

export async function selectTools(transaction: Transaction, server: ServerName): Promise<McpToolRow[]> {
  return transaction.select().from(mcpToolTable).where(toolsOf(server)).orderBy(asc(mcpToolTable.name))
}

/** Names that agents know tools of other servers by, with whose they are. */
export async function selectTaken(
  transaction: Transaction,
  { teamId, name }: ServerName,
): Promise<Map<string, string>> {
  const rows = await transaction
    .select({ server: mcpToolTable.serverName, tool: mcpToolTable.name, offeredAs: mcpToolTable.offeredAs })
    .from(mcpToolTable)
    .where(and(eq(mcpToolTable.teamId, teamId), ne(mcpToolTable.serverName, name), eq(mcpToolTable.isGone, false)))
  return new Map(rows.map(({ server, tool, offeredAs }) => [offeredAs, `"${tool}" of the MCP server "${server}"`]))
}

export function toMcpServer(row: McpServerRow, tools: readonly McpToolRow[]): McpServer {
  const { name, place, status, problem, title, protocol, checkedAt, createdAt, createdBy, createdByName } = row
  const statuses = tools.map(statusOf)
  return {
    ...{ name, place, status, problem, title, protocol },
    tools: {
      approved: statuses.filter((one) => one === 'approved').length,
      waiting: statuses.filter((one) => one === 'new' || one === 'changed').length,
    },
    checkedAt: checkedAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    createdBy: { id: createdBy, name: createdByName },
  }
}
