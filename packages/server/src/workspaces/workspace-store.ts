import { CoherexError, type Author, type Page, type Workspace, type WorkspaceTemplate } from '@coherex/contract'
import { and, desc, eq, ilike, isNotNull, isNull, lt, sql, type SQL } from 'drizzle-orm'
import { decodeCursor, takePage } from '../access/index.ts'
import type { Database, Transaction } from '../base/index.ts'
import { workspaceTable } from './tables.ts'

export interface WorkspaceFilters {
  archived: boolean
  search?: string | undefined
}

export interface WorkspaceChange {
  name?: string | undefined
  archived?: boolean | undefined
  retentionDays?: number | null | undefined
}

// before the first id, from where the list goes on below one's own
const afterOwn = `wsp_${'z'.repeat(30)}`
const isOne = (teamId: string, id: string) => and(eq(workspaceTable.teamId, teamId), eq(workspaceTable.id, id))

export async function insertWorkspace(
  transaction: Transaction,
  row: { teamId: string; id: string; name: string; template: WorkspaceTemplate; createdBy: Author },
): Promise<Workspace> {
  const [made] = await transaction.insert(workspaceTable).values(row).returning()
  if (!made) throw new Error('the workspace was not stored')
  return toWorkspace(made)
}

/** Answers whether it was made: a person has one in a team. */
export async function insertScratch(
  transaction: Transaction,
  row: Parameters<typeof insertWorkspace>[1] & { privateTo: string },
): Promise<boolean> {
  const made = await transaction.insert(workspaceTable).values(row).onConflictDoNothing().returning()
  return made.length > 0
}

export async function selectScratch(transaction: Transaction, teamId: string, personId: string): Promise<Workspace> {
  const isTheirs = and(eq(workspaceTable.teamId, teamId), eq(workspaceTable.privateTo, personId))
  const [row] = await transaction.select().from(workspaceTable).where(isTheirs)
  if (!row) throw new Error('the scratch was not stored')
  return toWorkspace(row)
}

/** The one person who sees a workspace, and with it what is made of its files; null is the team. */
export async function privateToOf(database: Database, teamId: string, id: string): Promise<string | null> {
  const [row] = await database.transaction({ team: teamId }, (transaction) =>
    transaction.select({ privateTo: workspaceTable.privateTo }).from(workspaceTable).where(isOne(teamId, id)),
  )
  return row?.privateTo ?? null
}

/** Refuses what would take a person's own place away; their files can be deleted. */
export async function checkOfTeam(transaction: Transaction, teamId: string, id: string): Promise<Workspace> {
  const workspace = await selectWorkspace(transaction, teamId, id)
  if (workspace.reach === 'team') return workspace
  throw new CoherexError('conflict', 'Cannot rename, archive or delete Scratch: delete the files in it instead')
}

export async function selectWorkspace(transaction: Transaction, teamId: string, id: string): Promise<Workspace> {
  const [row] = await transaction.select().from(workspaceTable).where(isOne(teamId, id))
  if (!row) throw new CoherexError('not_found', 'There is no such workspace')
  return toWorkspace(row)
}

export async function selectWorkspaces(
  database: Database,
  teamId: string,
  { limit, cursor, archived, search }: WorkspaceFilters & { limit: number; cursor?: string | undefined },
): Promise<Page<Workspace>> {
  const conditions: SQL[] = [eq(workspaceTable.teamId, teamId)]
  conditions.push(archived ? isNotNull(workspaceTable.archivedAt) : isNull(workspaceTable.archivedAt))
  if (search) conditions.push(ilike(workspaceTable.name, `%${search.replace(/[\\%_]/g, '\\$&')}%`))
  // one's own is on top, and only there
  if (cursor) conditions.push(lt(workspaceTable.id, decodeCursor(cursor, 1)[0] ?? ''), isNull(workspaceTable.privateTo))
  const rows = await database.transaction({ team: teamId }, (transaction) =>
    transaction
      .select()
      .from(workspaceTable)
      .where(and(...conditions))
      .orderBy(sql`${workspaceTable.privateTo} IS NULL`, desc(workspaceTable.id))
      .limit(limit + 1),
  )
  const page = takePage(rows, limit, (last) => [last.privateTo === null ? last.id : afterOwn])
  return { ...page, items: page.items.map(toWorkspace) }
}

export async function updateWorkspace(
  transaction: Transaction,
  teamId: string,
  id: string,
  { name, archived, retentionDays }: WorkspaceChange,
): Promise<Workspace> {
  const before = await selectWorkspace(transaction, teamId, id)
  const archivedAt = archived ? new Date(before.archivedAt ?? Date.now()) : null
  const change = {
    ...(name === undefined ? {} : { name }),
    ...(archived === undefined ? {} : { archivedAt }),
    ...(retentionDays === undefined ? {} : { retentionDays }),
  }
  if (Object.keys(change).length === 0) return before
  const [row] = await transaction.update(workspaceTable).set(change).where(isOne(teamId, id)).returning()
  if (!row) throw new CoherexError('not_found', 'There is no such workspace')
  return toWorkspace(row)
}

export async function deleteWorkspace(transaction: Transaction, teamId: string, id: string): Promise<void> {
  await transaction.delete(workspaceTable).where(isOne(teamId, id))
}

function toWorkspace(row: typeof workspaceTable.$inferSelect): Workspace {
  return {
    id: row.id,
    name: row.name,
    template: row.template,
    version: row.version,
    createdBy: row.createdBy,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    archivedAt: row.archivedAt?.toISOString() ?? null,
    retentionDays: row.retentionDays,
    reach: row.privateTo === null ? 'team' : 'private',
  }
}
