import { and, eq, inArray, sql } from 'drizzle-orm'
import type { Transaction } from '../base/index.ts'
import { unpackText } from './content-codec.ts'
import type { DocumentName } from './document/document-store.ts'
import { contentTable } from './tables.ts'

/** Texts by their hashes. */
export async function readTexts(
  transaction: Transaction,
  name: DocumentName,
  hashes: string[],
): Promise<Map<string, Buffer>> {
  const rows = new Map<string, { base: string | null; bytes: Buffer }>()
  // a text may be stored against one that is itself stored against another
  for (let wanted = [...new Set(hashes)]; wanted.length > 0;) {
    const found = await transaction
      .select({ hash: contentTable.hash, base: contentTable.base, bytes: contentTable.bytes })
      .from(contentTable)
      .where(
        and(
          eq(contentTable.teamId, name.teamId),
          eq(contentTable.workspaceId, name.workspaceId),
          inArray(contentTable.hash, wanted),
        ),
      )
    for (const { hash, base, bytes } of found) if (bytes) rows.set(hash, { base, bytes })
    wanted = [...new Set(found.flatMap(({ base }) => (base && !rows.has(base) ? [base] : [])))]
  }
  const texts = new Map<string, Buffer>()
  const unpack = (hash: string): Buffer => {
    const known = texts.get(hash)
    if (known) return known
    const row = rows.get(hash)
    if (!row) throw new Error('a text of a workspace is not in the store')
    const text = unpackText(row.bytes, row.base ? unpack(row.base) : undefined)
    texts.set(hash, text)
    return text
  }
  return new Map(hashes.map((hash) => [hash, unpack(hash)]))
}

/** What a team's workspaces take of its storage. */
export async function workspaceBytes(transaction: Transaction, teamId: string): Promise<number> {
  const [row] = await transaction
    .select({ bytes: sql<string | null>`sum(${contentTable.storedBytes})` })
    .from(contentTable)
    .where(eq(contentTable.teamId, teamId))
  return Number(row?.bytes ?? 0)
}

/** The blobs of a workspace, of all its versions. */
export async function selectBlobs(transaction: Transaction, { teamId, workspaceId }: DocumentName): Promise<string[]> {
  const rows = await transaction
    .select({ hash: contentTable.hash })
    .from(contentTable)
    .where(
      and(eq(contentTable.teamId, teamId), eq(contentTable.workspaceId, workspaceId), eq(contentTable.kind, 'blob')),
    )
  return rows.map(({ hash }) => hash)
}

/** Those of the blobs that a version of some workspace holds. */
export async function blobsInUse(transaction: Transaction, teamId: string, hashes: string[]): Promise<Set<string>> {
  if (hashes.length === 0) return new Set()
  const rows = await transaction
    .selectDistinct({ hash: contentTable.hash })
    .from(contentTable)
    .where(and(eq(contentTable.teamId, teamId), eq(contentTable.kind, 'blob'), inArray(contentTable.hash, hashes)))
  return new Set(rows.map(({ hash }) => hash))
}
