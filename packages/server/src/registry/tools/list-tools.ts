import type { Page, ToolReach, ToolStatus, ToolSummary } from '@coherex/contract'
import { and, asc, eq, gt, or, sql } from 'drizzle-orm'
import { decodeCursor, takePage } from '../../access/index.ts'
import type { Database } from '../../base/index.ts'
import { ownerOf } from '../definition/create-holding.ts'
import { selectDailyCalls } from './tool-calls.ts'
import type { ToolFolder } from './tool-kind.ts'
import { toolTable, toolVersionTable, type ToolRow } from './tool-tables.ts'

export interface ToolFilters {
  limit: number
  cursor?: string | undefined
  search?: string | undefined
  language?: string | undefined
  tag?: string | undefined
  status?: ToolStatus | undefined
  /** A person's id. */
  owner?: string | undefined
  reach?: ToolReach | undefined
}

/** The version that stands for a tool: the published one, or the newest while none is. */
export const isCurrent = and(
  eq(toolVersionTable.teamId, toolTable.teamId),
  eq(toolVersionTable.name, toolTable.name),
  eq(toolVersionTable.version, sql`coalesce(${toolTable.activeVersion}, ${toolTable.newestVersion})`),
)
const status = sql<ToolStatus>`CASE WHEN ${toolTable.activeVersion} IS NULL THEN 'draft'
  WHEN ${toolTable.unpublishedAt} IS NOT NULL THEN 'unpublished' WHEN ${toolTable.deprecation} IS NOT NULL THEN 'deprecated' ELSE 'published' END`
const owner = sql`coalesce(${toolTable.ownerId}, ${toolTable.createdBy})`

/** The tools of a team by name, as far as who asks may see them. */
export async function listTools(database: Database, teamId: string, filters: ToolFilters): Promise<Page<ToolSummary>> {
  const { limit, cursor, search } = filters
  const after = cursor ? decodeCursor(cursor, 1)[0] : undefined
  const { definition } = toolVersionTable
  return database.transaction({ team: teamId }, async (transaction) => {
    const rows = await transaction
      .select({ head: toolTable, definition })
      .from(toolTable)
      .innerJoin(toolVersionTable, isCurrent)
      .where(
        and(
          eq(toolTable.teamId, teamId),
          after === undefined ? undefined : gt(toolTable.name, after),
          filters.status === undefined ? undefined : sql`${status} = ${filters.status}`,
          filters.language === undefined ? undefined : sql`${definition}->>'language' = ${filters.language}`,
          filters.tag === undefined ? undefined : sql`${definition}->'tags' ? ${filters.tag}`,
          filters.owner === undefined ? undefined : sql`${owner} = ${filters.owner}`,
          filters.reach === undefined ? undefined : eq(toolTable.reach, filters.reach),
          search === undefined ? undefined : matches(search),
        ),
      )
      .orderBy(asc(toolTable.name))
      .limit(limit + 1)
    const page = takePage(rows, limit, ({ head }) => [head.name])
    const names = page.items.map(({ head }) => head.name)
    const callsOf = await selectDailyCalls(transaction, teamId, names)
    return { ...page, items: page.items.map((row) => toSummary(row.head, row.definition, callsOf(row.head.name))) }
  })
}

/** Names and descriptions with that text in them. */
export function matches(search: string) {
  const pattern = `%${search.replace(/[\\%_]/g, '\\$&')}%`
  return or(
    sql`${toolTable.name} ILIKE ${pattern}`,
    sql`${toolVersionTable.definition}->>'description' ILIKE ${pattern}`,
  )
}

export function statusOf({ activeVersion, unpublishedAt, deprecation }: ToolRow): ToolStatus {
  if (activeVersion === null) return 'draft'
  if (unpublishedAt) return 'unpublished'
  return deprecation === null ? 'published' : 'deprecated'
}

export function toSummary(
  head: ToolRow,
  { description, language, tags = [] }: ToolFolder['definition'],
  calls: number[],
): ToolSummary {
  return {
    ...{ name: head.name, description, language, tags, status: statusOf(head), deprecation: head.deprecation },
    ...{ owner: ownerOf(head), reach: head.reach, calls },
    version: head.activeVersion,
    newestVersion: head.newestVersion,
    updatedAt: head.updatedAt.toISOString(),
  }
}
