import { and, eq, inArray } from 'drizzle-orm'
import type { Transaction } from '../../base/index.ts'
import { blobsInUse } from '../../workspaces/index.ts'
import { attachmentTable } from '../attachment-table.ts'
import { runFileTable } from '../run-table.ts'
import { sandboxFileTable, templateFileTable } from '../sandbox-table.ts'

/** Which of these blobs rows of a team name. */
export type BlobsInUse = (transaction: Transaction, teamId: string, hashes: string[]) => Promise<Iterable<string>>

/** Which of these blobs nobody's row names: the same bytes are kept once for a team, whoever wrote them. */
export async function unusedBlobs(
  transaction: Transaction,
  { teamId, hashes, usedAbove }: { teamId: string; hashes: string[]; usedAbove: BlobsInUse },
): Promise<string[]> {
  const asked = [...new Set(hashes)]
  if (asked.length === 0) return []
  const used = new Set<string | null>()
  for (const table of [runFileTable, sandboxFileTable, templateFileTable, attachmentTable]) {
    const rows = await transaction
      .selectDistinct({ hash: table.hash })
      .from(table)
      .where(and(eq(table.teamId, teamId), inArray(table.hash, asked)))
    for (const { hash } of rows) used.add(hash)
  }
  for (const hash of await usedAbove(transaction, teamId, asked)) used.add(hash)
  const inWorkspaces = await blobsInUse(transaction, teamId, asked)
  return asked.filter((hash) => !used.has(hash) && !inWorkspaces.has(hash))
}
