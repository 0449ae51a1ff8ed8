import { CoherexError, type Page, type Share, type ShareTarget } from '@coherex/contract'
import { and, desc, eq, getTableColumns, gt, isNull, lt, or, sql } from 'drizzle-orm'
import { decodeCursor, takePage } from '../access/index.ts'
import type { Transaction } from '../base/index.ts'
import type { PageRequest } from './artifact-store.ts'
import { shareTable, shareTokenTable } from './tables.ts'

type StoredShare = typeof shareTable.$inferSelect

const { artifactId: _artifactId, threadId: _threadId, ...ownColumns } = getTableColumns(shareTable)
const listed = {
  ...ownColumns,
  // row-level security hides a private thread and its artifacts
  artifactId: sql<
    string | null
  >`(SELECT artifact.id FROM coherex.artifact WHERE artifact.team_id = ${shareTable.teamId} AND artifact.id = ${shareTable.artifactId})`,
  threadId: sql<
    string | null
  >`(SELECT thread.id FROM coherex.thread WHERE thread.team_id = ${shareTable.teamId} AND thread.id = ${shareTable.threadId})`,
}

/** The same words for a share that never was, is revoked or has expired, and for one of another team. */
export const noShare = () => new CoherexError('not_found', 'This link leads nowhere, or does not any more')

const notExpired = or(isNull(shareTable.expiresAt), gt(shareTable.expiresAt, sql`now()`))

function toShare(row: StoredShare): Share {
  const { teamId: _, lastMessage: _lastMessage, createdBy, createdByName, createdAt, expiresAt, ...rest } = row
  return {
    ...rest,
    createdAt: createdAt.toISOString(),
    createdBy: { id: createdBy, name: createdByName },
    expiresAt: expiresAt?.toISOString() ?? null,
  }
}

export async function insertShare(
  transaction: Transaction,
  share: typeof shareTable.$inferInsert,
  tokenHash: string | undefined,
): Promise<Share> {
  const [row] = await transaction.insert(shareTable).values(share).returning()
  if (!row) throw new Error('the share was not stored')
  const { teamId, id: shareId } = row
  if (tokenHash !== undefined) await transaction.insert(shareTokenTable).values({ hash: tokenHash, teamId, shareId })
  return toShare(row)
}

/** Which share of which team a token leads to. The one look that no team is set for. */
export async function selectToken(
  transaction: Transaction,
  hash: string,
): Promise<{ teamId: string; shareId: string } | undefined> {
  const [row] = await transaction
    .select({ teamId: shareTokenTable.teamId, shareId: shareTokenTable.shareId })
    .from(shareTokenTable)
    .where(eq(shareTokenTable.hash, hash))
  return row
}

/** A share that still counts, with what it shows. */
export async function selectShare(
  transaction: Transaction,
  teamId: string,
  id: string,
): Promise<Share & { lastMessage: string | null }> {
  const [row] = await transaction
    .select()
    .from(shareTable)
    .where(and(eq(shareTable.teamId, teamId), eq(shareTable.id, id), notExpired))
  if (!row) throw noShare()
  return { ...toShare(row), lastMessage: row.lastMessage }
}

export async function selectShares(
  transaction: Transaction,
  teamId: string,
  { of, limit, cursor }: PageRequest & { of: { target: ShareTarget } | { personId: string } | 'team' | 'gallery' },
): Promise<Page<Share>> {
  const before = cursor === undefined ? undefined : decodeCursor(cursor, 1)[0]
  const asked =
    of === 'team'
      ? undefined
      : of === 'gallery'
        ? and(eq(shareTable.isListed, true), notExpired)
        : 'target' in of
          ? isOf(of.target)
          : eq(shareTable.createdBy, of.personId)
  const rows = await transaction
    .select(listed)
    .from(shareTable)
    .where(and(eq(shareTable.teamId, teamId), asked, before === undefined ? undefined : lt(shareTable.id, before)))
    .orderBy(desc(shareTable.id))
    .limit(limit + 1)
  const page = takePage(rows, limit, ({ id }) => [id])
  return { ...page, items: page.items.map(toShare) }
}

/** Takes a share away, with its token. `by` is whose it must be. */
export async function deleteShare(
  transaction: Transaction,
  teamId: string,
  { id, by }: { id: string; by: string | undefined },
): Promise<Share> {
  const own = by === undefined ? undefined : eq(shareTable.createdBy, by)
  const [row] = await transaction
    .delete(shareTable)
    .where(and(eq(shareTable.teamId, teamId), eq(shareTable.id, id), own))
    .returning()
  if (!row) throw new CoherexError('not_found', 'There is no such share')
  return toShare(row)
}

export async function countShares(transaction: Transaction, teamId: string, target: ShareTarget): Promise<number> {
  return transaction.$count(shareTable, and(eq(shareTable.teamId, teamId), isOf(target)))
}

function isOf({ artifactId, threadId, workspaceId, path }: ShareTarget) {
  if (artifactId !== undefined) return eq(shareTable.artifactId, artifactId)
  if (threadId !== undefined) return eq(shareTable.threadId, threadId)
  return and(eq(shareTable.workspaceId, workspaceId ?? ''), path === undefined ? undefined : eq(shareTable.path, path))
}

/** The newest run of a version that has ended. */
export async function selectEndedRun(
  transaction: Transaction,
  teamId: string,
  { artifactId, version }: { artifactId: string; version: number },
): Promise<string | undefined> {
  const { rows } = await transaction.execute<{ id: string }>(sql`
    SELECT id FROM coherex.run WHERE team_id = ${teamId} AND artifact_id = ${artifactId}
      AND artifact_version = ${version} AND ended_at IS NOT NULL ORDER BY id DESC LIMIT 1`)
  return rows[0]?.id
}
