import { CoherexError, type Page, type SharedTool } from '@coherex/contract'
import { and, asc, eq, gt, ne, or, sql } from 'drizzle-orm'
import { decodeCursor, takePage } from '../../access/index.ts'
import type { Database } from '../../base/index.ts'
import { isCurrent, matches } from './list-tools.ts'
import type { ToolFolder, ToolKind } from './tool-kind.ts'
import { toolTable, toolVersionTable } from './tool-tables.ts'

/** Tools that other teams of this server offer: names, descriptions and versions, never a row to work with. */
export async function listOfferedTools(
  database: Database,
  teamId: string,
  { limit, cursor, search }: { limit: number; cursor?: string | undefined; search?: string | undefined },
): Promise<Page<SharedTool>> {
  const [name, team] = cursor ? decodeCursor(cursor, 2) : []
  const rows = await database.transaction({ offered: true }, (transaction) =>
    transaction
      .select({
        head: toolTable,
        definition: toolVersionTable.definition,
        version: toolVersionTable.version,
        teamName: sql<string>`(SELECT name FROM coherex.team WHERE team.team_id = ${toolTable.teamId})`,
      })
      .from(toolTable)
      .innerJoin(toolVersionTable, isCurrent)
      .where(
        and(
          ne(toolTable.teamId, teamId),
          search === undefined ? undefined : matches(search),
          name === undefined || team === undefined
            ? undefined
            : or(gt(toolTable.name, name), and(eq(toolTable.name, name), gt(toolTable.teamId, team))),
        ),
      )
      .orderBy(asc(toolTable.name), asc(toolTable.teamId))
      .limit(limit + 1),
  )
  const page = takePage(rows, limit, ({ head }) => [head.name, head.teamId])
  return {
    ...page,
    items: page.items.map(({ head, definition, version, teamName }) => ({
      team: { id: head.teamId, name: teamName },
      name: head.name,
      description: definition.description,
      language: definition.language,
      licence: definition.licence ?? null,
      tags: definition.tags ?? [],
      version,
      updatedAt: head.updatedAt.toISOString(),
    })),
  }
}

/** A version that another team offers, the published one unless named, to be copied. */
export async function readOfferedTool(
  database: Database,
  kind: ToolKind,
  { team, name, version }: { team: string; name: string; version?: number | undefined },
): Promise<{ content: ToolFolder; version: number; teamName: string }> {
  const { fetch, ...found } = await database.transaction({ offered: true }, async (transaction) => {
    const isTool = and(eq(toolTable.teamId, team), eq(toolTable.name, name))
    const [head] = await transaction
      .select({
        active: toolTable.activeVersion,
        teamName: sql<string>`(SELECT name FROM coherex.team WHERE team.team_id = ${team})`,
      })
      .from(toolTable)
      .where(isTool)
    if (!head) throw new CoherexError('not_found', `No such team offers a tool "${name}"`)
    const number = version ?? head.active ?? 0
    const { teamId, name: ofName, version: ofVersion } = toolVersionTable
    const [row] = await transaction
      .select()
      .from(toolVersionTable)
      .where(and(eq(teamId, team), eq(ofName, name), eq(ofVersion, number)))
    if (!row) throw new CoherexError('not_found', `The tool "${name}" of ${head.teamName} offers no version ${number}`)
    return { fetch: await kind.read(transaction, row), version: number, teamName: head.teamName }
  })
  return { ...found, content: await fetch() }
}
