import { CoherexError, type Page, type WorkspaceFile, type WorkspaceVersion } from '@coherex/contract'
import { and, asc, desc, eq, exists, inArray, lt, sql, type SQL } from 'drizzle-orm'
import { decodeCursor, takePage } from '../access/index.ts'
import type { Database, Transaction } from '../base/index.ts'
import type { DocumentName } from './document/document-store.ts'
import { changeTable, tagTable, versionTable, type ContentKind } from './tables.ts'

type VersionRow = typeof versionTable.$inferSelect

export interface VersionFilters {
  path?: string | undefined
  authorId?: string | undefined
}

const isOf = ({ teamId, workspaceId }: DocumentName) =>
  and(eq(versionTable.teamId, teamId), eq(versionTable.workspaceId, workspaceId))

export async function selectVersions(
  database: Database,
  name: DocumentName,
  { limit, cursor, path, authorId }: VersionFilters & { limit: number; cursor?: string | undefined },
): Promise<Page<WorkspaceVersion>> {
  return database.transaction({ team: name.teamId }, async (transaction) => {
    const conditions: (SQL | undefined)[] = [isOf(name)]
    if (cursor) conditions.push(lt(versionTable.number, toNumber(decodeCursor(cursor, 1)[0])))
    if (authorId) conditions.push(sql`${versionTable.author}->>'id' = ${authorId}`)
    if (path) {
      conditions.push(
        exists(
          transaction
            .select({ one: sql`1` })
            .from(changeTable)
            .where(and(ofPath(name, path), eq(changeTable.number, versionTable.number))),
        ),
      )
    }
    const rows = await transaction
      .select()
      .from(versionTable)
      .where(and(...conditions))
      .orderBy(desc(versionTable.number))
      .limit(limit + 1)
    const page = takePage(rows, limit, (last) => [String(last.number)])
    const tags = await tagsOf(
      transaction,
      name,
      page.items.map(({ number }) => number),
    )
    return { ...page, items: page.items.map((row) => toVersion(row, tags.get(row.number) ?? [])) }
  })
}

export async function selectVersion(
  transaction: Transaction,
  name: DocumentName,
  number: number,
): Promise<WorkspaceVersion> {
  const [row] = await transaction
    .select()
    .from(versionTable)
    .where(and(isOf(name), eq(versionTable.number, number)))
  if (!row) throw noSuchVersion(number)
  const tags = await tagsOf(transaction, name, [number])
  return toVersion(row, tags.get(number) ?? [])
}

/** What a path held at a version. */
export interface TreeFile extends WorkspaceFile {
  kind: ContentKind
}

/** Every file as it was at a version; version 0 is the empty workspace before the first. */
export async function selectTree(transaction: Transaction, name: DocumentName, number: number): Promise<TreeFile[]> {
  if (number > 0) await selectVersion(transaction, name, number)
  const rows = await transaction
    .selectDistinctOn([changeTable.path], {
      path: changeTable.path,
      kind: changeTable.kind,
      size: changeTable.size,
      hash: changeTable.hash,
      version: changeTable.number,
    })
    .from(changeTable)
    .where(
      and(
        eq(changeTable.teamId, name.teamId),
        eq(changeTable.workspaceId, name.workspaceId),
        sql`${changeTable.number} <= ${number}`,
      ),
    )
    .orderBy(asc(changeTable.path), desc(changeTable.number))
  return rows.flatMap(({ kind, hash, ...row }) => (kind && hash ? [{ ...row, kind, hash }] : []))
}

export async function selectTreeFile(
  transaction: Transaction,
  name: DocumentName,
  number: number,
  path: string,
): Promise<TreeFile | undefined> {
  if (number > 0) await selectVersion(transaction, name, number)
  const [row] = await transaction
    .select()
    .from(changeTable)
    .where(and(ofPath(name, path), sql`${changeTable.number} <= ${number}`))
    .orderBy(desc(changeTable.number))
    .limit(1)
  if (!row?.kind || !row.hash) return undefined
  return { path, kind: row.kind, size: row.size, hash: row.hash, version: row.number }
}

/** What a path became after a version, step by step, with who made each step. */
export async function selectHistory(transaction: Transaction, name: DocumentName, path: string, after: number) {
  return transaction
    .select({
      number: changeTable.number,
      kind: changeTable.kind,
      hash: changeTable.hash,
      author: versionTable.author,
      coauthors: versionTable.coauthors,
    })
    .from(changeTable)
    .innerJoin(versionTable, and(isOf(name), eq(versionTable.number, changeTable.number)))
    .where(and(ofPath(name, path), sql`${changeTable.number} > ${after}`))
    .orderBy(asc(changeTable.number))
}

function noSuchVersion(number: number): CoherexError {
  return new CoherexError('not_found', `There is no version ${number} of this workspace`)
}

function ofPath({ teamId, workspaceId }: DocumentName, path: string) {
  return and(eq(changeTable.teamId, teamId), eq(changeTable.workspaceId, workspaceId), eq(changeTable.path, path))
}

async function tagsOf(transaction: Transaction, { teamId, workspaceId }: DocumentName, numbers: number[]) {
  const tags = new Map<number, string[]>()
  if (numbers.length === 0) return tags
  const rows = await transaction
    .select({ name: tagTable.name, number: tagTable.number })
    .from(tagTable)
    .where(and(eq(tagTable.teamId, teamId), eq(tagTable.workspaceId, workspaceId), inArray(tagTable.number, numbers)))
    .orderBy(asc(tagTable.name))
  for (const { name, number } of rows) tags.set(number, [...(tags.get(number) ?? []), name])
  return tags
}

function toNumber(text: string | undefined): number {
  const number = Number(text)
  if (!Number.isSafeInteger(number)) {
    throw new CoherexError('invalid_input', 'The cursor is not one that a list gave', {
      details: [{ field: 'cursor' }],
    })
  }
  return number
}

function toVersion(row: VersionRow, tags: string[]): WorkspaceVersion {
  return {
    number: row.number,
    author: row.author,
    coauthors: row.coauthors,
    message: row.message,
    at: row.at.toISOString(),
    changes: row.changes,
    changeCount: row.changeCount,
    tags,
  }
}
