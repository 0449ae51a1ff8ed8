import type { Page } from '@coherex/contract'
import { and, asc, eq, gt, isNotNull, isNull, sql } from 'drizzle-orm'
import { decodeCursor, takePage } from '../../access/index.ts'
import type { Database } from '../../base/index.ts'
import { isCurrent } from './list-tools.ts'
import { toolTable, toolVersionTable, type ToolSchema } from './tool-tables.ts'

/** A published tool as its callers know it: without its files. */
export interface CallableTool {
  name: string
  version: number
  description: string
  deprecation: string | null
  input: ToolSchema
  output: ToolSchema
  /** The page that shows what a call gave. */
  ui: string | null
  /** When this version was made. */
  createdAt: Date
}

/** Published tools of a team by name, in the version that callers get who name none. */
export async function listCallableTools(
  database: Database,
  teamId: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<CallableTool>> {
  const after = cursor ? decodeCursor(cursor, 1)[0] : undefined
  return takePage(await selectCallable(database, teamId, { after, limit: limit + 1 }), limit, ({ name }) => [name])
}

export async function findCallableTool(
  database: Database,
  teamId: string,
  name: string,
): Promise<CallableTool | undefined> {
  return (await selectCallable(database, teamId, { name, limit: 1 }))[0]
}

async function selectCallable(
  database: Database,
  teamId: string,
  { name, after, limit }: { name?: string; after?: string | undefined; limit: number },
): Promise<CallableTool[]> {
  const { definition } = toolVersionTable
  return database.transaction({ team: teamId }, (transaction) =>
    transaction
      .select({
        name: toolTable.name,
        version: toolVersionTable.version,
        description: sql<string>`${definition}->>'description'`,
        deprecation: toolTable.deprecation,
        input: toolVersionTable.inputSchema,
        output: toolVersionTable.outputSchema,
        ui: sql<string | null>`${definition}->>'ui'`,
        createdAt: toolVersionTable.createdAt,
      })
      .from(toolTable)
      .innerJoin(toolVersionTable, isCurrent)
      .where(
        and(
          eq(toolTable.teamId, teamId),
          isNotNull(toolTable.activeVersion),
          isNull(toolTable.unpublishedAt),
          name === undefined ? undefined : eq(toolTable.name, name),
          after === undefined ? undefined : gt(toolTable.name, after),
        ),
      )
      .orderBy(asc(toolTable.name))
      .limit(limit),
  )
}
