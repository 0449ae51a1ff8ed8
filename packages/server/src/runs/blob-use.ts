import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Transaction } from '../base/index.ts'
import { runFileTable } from './run-table.ts'
import { sandboxFileTable, templateFileTable } from './sandboxes/sandbox-table.ts'

/** Which of these blobs nobody's row names: the same bytes are kept once for a team, whoever wrote them. */
export async function unusedBlobs(transaction: Transaction, teamId: string, hashes: string[]): Promise<string[]> {
  const asked = [...new Set(hashes)]
  if (asked.length === 0) return []
  const used = new Set<string | null>()
  for (const table of [runFileTable, sandboxFileTable, templateFileTable]) {
    const rows = await transaction
      .selectDistinct({ hash: table.hash })
      .from(table)
      .where(and(eq(table.teamId, teamId), inArray(table.hash, asked)))
    for (const { hash } of rows) used.add(hash)
  }
  const { rows } = await transaction.execute<{ hash: string }>(sql`
    SELECT DISTINCT hash FROM coherex.workspace_content
    WHERE team_id = ${teamId} AND hash IN (SELECT jsonb_array_elements_text(${JSON.stringify(asked)}::jsonb))`)
  for (const { hash } of rows) used.add(hash)
  return asked.filter((hash) => !used.has(hash))
}
