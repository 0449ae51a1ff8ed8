import type { Tool } from '@modelcontextprotocol/client'
import { and, eq, isNull, notInArray } from 'drizzle-orm'
import { recordAudit } from '../../access/index.ts'
import type { Transaction } from '../../base/index.ts'
import { showHidden } from '../../registry/index.ts'
import type { SchemaChecks } from '../schema/schema-checks.ts'
import { selectTaken, selectTools, toolsOf, type ServerName } from './mcp-store.ts'
import { mcpToolTable } from './mcp-tables.ts'
import { findProblem, hashTold, offeredName, toTold } from './mcp-tool.ts'

/** Writes down what a server lists now. Approvals stay with what was approved. True where anything is new. */
export async function keepTools(
  transaction: Transaction,
  server: ServerName,
  { tools, checks }: { tools: readonly Tool[]; checks: SchemaChecks },
): Promise<boolean> {
  const { teamId, name: serverName } = server
  const known = new Map((await selectTools(transaction, server)).map((row) => [row.name, row]))
  const taken = await selectTaken(transaction, server)
  const changed: string[] = []
  let isNew = false
  const listed = new Set<string>()
  for (const told of tools.map(toTold)) {
    // of two with one name the first counts: a call could not tell them apart
    if (listed.has(told.name)) continue
    listed.add(told.name)
    const { name } = told
    const before = known.get(name)
    const hash = hashTold(told)
    const offeredAs = offeredName(serverName, name)
    const problem = findProblem(told, checks, taken.get(offeredAs))
    taken.set(offeredAs, `"${name}" of the same server`)
    if (before && before.hash === hash && before.problem === problem && !before.isGone) continue
    isNew = true
    const approvedHash = before?.approvedHash ?? null
    if (approvedHash !== null && approvedHash !== hash && before?.hash !== hash) changed.push(name)
    const columns = { offeredAs, told, hash, problem, isGone: false, changedAt: new Date() }
    await transaction
      .insert(mcpToolTable)
      .values({ teamId, serverName, name, ...columns })
      .onConflictDoUpdate({
        target: [mcpToolTable.teamId, mcpToolTable.serverName, mcpToolTable.name],
        set: columns,
      })
  }
  const gone = await transaction
    .update(mcpToolTable)
    .set({ isGone: true })
    .where(and(toolsOf(server), eq(mcpToolTable.isGone, false), notInArray(mcpToolTable.name, ['', ...listed])))
    .returning({ name: mcpToolTable.name })
  // what nobody approved and nobody lists is nothing to remember
  await transaction
    .delete(mcpToolTable)
    .where(and(toolsOf(server), eq(mcpToolTable.isGone, true), isNull(mcpToolTable.approvedHash)))
  if (changed.length > 0) {
    await recordAudit(transaction, {
      teamId,
      actor: { kind: 'system', name: `MCP server ${serverName}` },
      action: 'mcp-server.tools-changed',
      target: { kind: 'mcp-server', id: serverName, name: serverName },
      details: { tools: changed.map((name) => showHidden(name).slice(0, 200)) },
    })
  }
  return isNew || gone.length > 0
}
