import { CoherexError, type Author, type Page, type WorkspaceTag } from '@coherex/contract'
import { and, asc, count, eq, gt } from 'drizzle-orm'
import { decodeCursor, takePage } from '../../access/index.ts'
import type { Database } from '../../base/index.ts'
import type { DocumentName } from '../document/document-store.ts'
import { tagTable } from '../tables.ts'
import { selectVersion } from '../version-store.ts'

const mostTags = 1000

const isOf = ({ teamId, workspaceId }: DocumentName) =>
  and(eq(tagTable.teamId, teamId), eq(tagTable.workspaceId, workspaceId))

export async function listTags(
  database: Database,
  name: DocumentName,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<WorkspaceTag>> {
  const after = cursor ? gt(tagTable.name, decodeCursor(cursor, 1)[0] ?? '') : undefined
  const rows = await database.transaction({ team: name.teamId }, (transaction) =>
    transaction
      .select()
      .from(tagTable)
      .where(and(isOf(name), after))
      .orderBy(asc(tagTable.name))
      .limit(limit + 1),
  )
  const page = takePage(rows, limit, (last) => [last.name])
  return { ...page, items: page.items.map(toTag) }
}

export async function putTag(
  database: Database,
  document: DocumentName,
  tag: { name: string; version: number; by: Author },
): Promise<WorkspaceTag> {
  return database.transaction({ team: document.teamId }, async (transaction) => {
    await selectVersion(transaction, document, tag.version)
    const [all] = await transaction.select({ count: count() }).from(tagTable).where(isOf(document))
    if ((all?.count ?? 0) >= mostTags)
      throw new CoherexError('quota_exceeded', `A workspace has at most ${mostTags} tags`)
    const content = { number: tag.version, createdBy: tag.by, createdAt: new Date() }
    const [row] = await transaction
      .insert(tagTable)
      .values({ ...document, name: tag.name, ...content })
      .onConflictDoUpdate({ target: [tagTable.teamId, tagTable.workspaceId, tagTable.name], set: content })
      .returning()
    if (!row) throw new Error('the tag was not stored')
    return toTag(row)
  })
}

export async function removeTag(database: Database, document: DocumentName, name: string): Promise<void> {
  await database.transaction({ team: document.teamId }, async (transaction) => {
    const [row] = await transaction
      .delete(tagTable)
      .where(and(isOf(document), eq(tagTable.name, name)))
      .returning()
    if (!row) throw new CoherexError('not_found', `There is no tag "${name}"`)
  })
}

function toTag({ name, number, createdBy, createdAt }: typeof tagTable.$inferSelect): WorkspaceTag {
  return { name, version: number, createdBy, createdAt: createdAt.toISOString() }
}
