import { zstdDecompressSync } from 'node:zlib'
import { CoherexError, type Page, type Proposal } from '@coherex/contract'
import { and, desc, eq, lt } from 'drizzle-orm'
import { decodeCursor, takePage } from '../access/index.ts'
import type { Database, Transaction } from '../base/index.ts'
import { hashOf } from './content-codec.ts'
import type { DocumentName } from './document/document-store.ts'
import { mergeTexts } from './merge/merge-texts.ts'
import { proposalTable } from './tables.ts'
import { unifiedDiff } from './versions/unified-diff.ts'

export type ProposalRow = typeof proposalTable.$inferSelect

const isOf = ({ teamId, workspaceId }: DocumentName) =>
  and(eq(proposalTable.teamId, teamId), eq(proposalTable.workspaceId, workspaceId))

export async function selectProposals(
  database: Database,
  name: DocumentName,
  query: { limit: number; cursor?: string | undefined; status: Proposal['status'] },
): Promise<Page<ProposalRow>> {
  const before = query.cursor ? lt(proposalTable.id, decodeCursor(query.cursor, 1)[0] ?? '') : undefined
  const rows = await database.transaction({ team: name.teamId }, (transaction) =>
    transaction
      .select()
      .from(proposalTable)
      .where(and(isOf(name), eq(proposalTable.status, query.status), before))
      .orderBy(desc(proposalTable.id))
      .limit(query.limit + 1),
  )
  return takePage(rows, query.limit, (last) => [last.id])
}

export async function selectProposal(transaction: Transaction, name: DocumentName, id: string): Promise<ProposalRow> {
  const [row] = await transaction
    .select()
    .from(proposalTable)
    .where(and(isOf(name), eq(proposalTable.id, id)))
    .for('update')
  if (!row) throw new CoherexError('not_found', 'There is no such proposal')
  return row
}

export async function updateProposal(
  transaction: Transaction,
  name: DocumentName,
  id: string,
  change: Partial<ProposalRow>,
): Promise<ProposalRow> {
  const [row] = await transaction
    .update(proposalTable)
    .set(change)
    .where(and(isOf(name), eq(proposalTable.id, id)))
    .returning()
  if (!row) throw new CoherexError('not_found', 'There is no such proposal')
  return row
}

/** What the agent wants of the file as it is now. */
export function proposedText({ before, after }: ProposalRow, current: string): string {
  const [base, mine] = [zstdDecompressSync(before).toString(), zstdDecompressSync(after).toString()]
  return mergeTexts({ base, mine, theirs: current }).text
}

export function toProposal(row: ProposalRow, current: string | undefined): Proposal {
  const isOpen = row.status === 'open' && current !== undefined
  const from = isOpen ? current : zstdDecompressSync(row.before).toString()
  const to = isOpen ? proposedText(row, current) : zstdDecompressSync(row.after).toString()
  const diff = unifiedDiff({ path: row.path, before: from, after: to })
  return {
    id: row.id,
    path: row.path,
    author: row.author,
    message: row.message,
    readVersion: row.readVersion,
    status: row.status,
    diff,
    digest: hashOf(diff),
    createdAt: row.createdAt.toISOString(),
    decidedAt: row.decidedAt?.toISOString() ?? null,
    decidedBy: row.decidedBy,
    note: row.note,
    version: row.version,
  }
}
