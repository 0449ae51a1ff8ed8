import { appMediaType, CoherexError, mcpLimits, type ToolApp } from '@coherex/contract'
import type { ReadResourceResult } from '@modelcontextprotocol/client'
import { and, eq, sql } from 'drizzle-orm'
import { storable, type Transaction } from '../../base/index.ts'
import type { ServerName } from './mcp-store.ts'
import { mcpAppTable } from './mcp-tables.ts'

/** A view from what a server gave for its address. Throws where it is none that can be shown. */
export function readApp(server: string, uri: string, { contents }: ReadResourceResult): ToolApp {
  const refuse = (why: string) => new CoherexError('unavailable', `The view "${uri}" of MCP server "${server}" ${why}`)
  const found = contents.find((one) => one.uri === uri)
  if (!found) throw refuse('is not there')
  if (found.mimeType?.replaceAll(' ', '').toLowerCase() !== appMediaType) throw refuse(`is not ${appMediaType}`)
  const html = 'text' in found ? found.text : Buffer.from(found.blob, 'base64').toString('utf8')
  if (html.length > mcpLimits.appCharacters) throw refuse(`is longer than ${mcpLimits.appCharacters} characters`)
  const { ui } = (found._meta ?? {}) as { ui?: { prefersBorder?: unknown } }
  return { html: storable(html), prefersBorder: ui?.prefersBorder !== false }
}

/** Writes a view down, so that it is shown without asking its server. */
export async function keepApp(
  transaction: Transaction,
  { teamId, name: serverName }: ServerName,
  { uri, html, prefersBorder }: ToolApp & { uri: string },
): Promise<void> {
  const columns = { html, prefersBorder, readAt: new Date() }
  await transaction
    .insert(mcpAppTable)
    .values({ teamId, serverName, uri, ...columns })
    .onConflictDoUpdate({ target: [mcpAppTable.teamId, mcpAppTable.serverName, mcpAppTable.uri], set: columns })
  // a server that names another address each time does not fill the store
  await transaction.execute(sql`
    DELETE FROM coherex.mcp_app WHERE team_id = ${teamId} AND server_name = ${serverName} AND uri NOT IN (
      SELECT uri FROM coherex.mcp_app WHERE team_id = ${teamId} AND server_name = ${serverName}
      ORDER BY read_at DESC LIMIT ${mcpLimits.apps})`)
}

export async function selectApp(
  transaction: Transaction,
  { teamId, name }: ServerName,
  uri: string,
): Promise<ToolApp | undefined> {
  const { html, prefersBorder } = mcpAppTable
  const [row] = await transaction
    .select({ html, prefersBorder })
    .from(mcpAppTable)
    .where(and(eq(mcpAppTable.teamId, teamId), eq(mcpAppTable.serverName, name), eq(mcpAppTable.uri, uri)))
  return row
}
