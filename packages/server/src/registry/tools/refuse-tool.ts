import { and, eq } from 'drizzle-orm'
import type { Database } from '../../base/index.ts'
import { toolTable, toolVersionTable } from './tool-tables.ts'

/** Why nobody can call a tool: it is not there, not published, or has no such version. */
export async function refuseTool(
  database: Database,
  teamId: string,
  { name, version }: { name: string; version: number | undefined },
): Promise<string | undefined> {
  return database.transaction({ team: teamId }, async (transaction) => {
    const [head] = await transaction
      .select()
      .from(toolTable)
      .where(and(eq(toolTable.teamId, teamId), eq(toolTable.name, name)))
    if (!head) return `The team has no tool "${name}"`
    if (head.unpublishedAt) return `The tool "${name}" is unpublished`
    if (version === undefined)
      return head.activeVersion === null ? `The tool "${name}" is not published yet` : undefined
    const { teamId: ofTeam, name: ofName, version: number } = toolVersionTable
    const isThere = and(eq(ofTeam, teamId), eq(ofName, name), eq(number, version))
    const [found] = await transaction.select({ number }).from(toolVersionTable).where(isThere)
    return found ? undefined : `The tool "${name}" has no version ${version}`
  })
}
