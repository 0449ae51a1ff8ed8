import type { Page, Template } from '@coherex/contract'
import { and, asc, desc, eq, gt, max, sql } from 'drizzle-orm'
import { decodeCursor, takePage } from '../../../access/index.ts'
import type { Transaction } from '../../../base/index.ts'
import { templateFileTable, templateTable } from '../../sandbox-table.ts'
import { toLocks } from '../packages/sandbox-packages.ts'

export type TemplateRow = typeof templateTable.$inferSelect
export type TemplateFile = Pick<typeof templateFileTable.$inferSelect, 'path' | 'size' | 'hash'>

/** The newest version of each template, by name. */
export async function selectTemplates(
  transaction: Transaction,
  teamId: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<Page<TemplateRow>> {
  const rows = await transaction
    .selectDistinctOn([templateTable.name])
    .from(templateTable)
    .where(
      and(
        eq(templateTable.teamId, teamId),
        ...(cursor ? [gt(templateTable.name, decodeCursor(cursor, 1)[0] ?? '')] : []),
      ),
    )
    .orderBy(asc(templateTable.name), desc(templateTable.version))
    .limit(limit + 1)
  return takePage(rows, limit, (last) => [last.name])
}

export async function selectTemplate(
  transaction: Transaction,
  teamId: string,
  { name, version }: { name: string; version?: number },
): Promise<TemplateRow | undefined> {
  const [row] = await transaction
    .select()
    .from(templateTable)
    .where(
      and(
        eq(templateTable.teamId, teamId),
        eq(templateTable.name, name),
        ...(version === undefined ? [] : [eq(templateTable.version, version)]),
      ),
    )
    .orderBy(desc(templateTable.version))
    .limit(1)
  return row
}

export async function insertTemplate(
  transaction: Transaction,
  template: Omit<TemplateRow, 'version' | 'createdAt'>,
): Promise<TemplateRow> {
  const { teamId, name } = template
  // two builds of one name end one after the other
  await transaction.execute(sql`SELECT pg_advisory_xact_lock(hashtextextended(${`template ${teamId} ${name}`}, 0))`)
  const [newest] = await transaction
    .select({ version: max(templateTable.version) })
    .from(templateTable)
    .where(and(eq(templateTable.teamId, teamId), eq(templateTable.name, name)))
  const row: TemplateRow = { ...template, version: (newest?.version ?? 0) + 1, createdAt: new Date() }
  await transaction.insert(templateTable).values(row)
  return row
}

export async function selectTemplateFiles(
  transaction: Transaction,
  teamId: string,
  { name, version }: { name: string; version: number },
): Promise<TemplateFile[]> {
  return transaction
    .select({ path: templateFileTable.path, size: templateFileTable.size, hash: templateFileTable.hash })
    .from(templateFileTable)
    .where(
      and(
        eq(templateFileTable.teamId, teamId),
        eq(templateFileTable.name, name),
        eq(templateFileTable.version, version),
      ),
    )
    .orderBy(asc(templateFileTable.path))
}

export async function deleteTemplate(transaction: Transaction, teamId: string, name: string): Promise<string[]> {
  const files = await transaction
    .delete(templateFileTable)
    .where(and(eq(templateFileTable.teamId, teamId), eq(templateFileTable.name, name)))
    .returning({ hash: templateFileTable.hash })
  await transaction.delete(templateTable).where(and(eq(templateTable.teamId, teamId), eq(templateTable.name, name)))
  return files.map(({ hash }) => hash)
}

export function toTemplate(row: TemplateRow): Template {
  return {
    name: row.name,
    version: row.version,
    description: row.description,
    packages: row.packages,
    locks: toLocks(row.locks),
    files: Object.keys(row.files),
    start: row.start,
    bytes: row.bytes,
    createdBy: { id: row.personId, name: row.personName },
    createdAt: row.createdAt.toISOString(),
  }
}
