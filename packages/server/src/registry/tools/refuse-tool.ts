import { CoherexError, type ToolStatus } from '@coherex/contract'
import { and, eq } from 'drizzle-orm'
import type { Database } from '../../base/index.ts'
import { statusOf } from './list-tools.ts'
import { toolTable, toolVersionTable } from './tool-tables.ts'

export const neverPublished = (name: string, version: number) =>
  `Version ${version} of the tool "${name}" was never published`

export async function readToolStatus(database: Database, teamId: string, name: string): Promise<ToolStatus> {
  const [head] = await database.transaction({ team: teamId }, (transaction) =>
    transaction
      .select()
      .from(toolTable)
      .where(and(eq(toolTable.teamId, teamId), eq(toolTable.name, name))),
  )
  if (!head) throw new CoherexError('not_found', `There is no tool "${name}"`)
  return statusOf(head)
}

/** Why nobody can call a tool: it is not there, not published, or has no such version that was. */
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
    const [found] = await transaction.select({ state: toolVersionTable.state }).from(toolVersionTable).where(isThere)
    if (!found) return `The tool "${name}" has no version ${version}`
    return found.state === 'approved' ? undefined : neverPublished(name, version)
  })
}
