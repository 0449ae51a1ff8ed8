import type { PackageSet as ListedSet, Page } from '@coherex/contract'
import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import { decodeMomentCursor, takePage } from '../access/index.ts'
import type { Database } from '../base/index.ts'
import { isThere, releaseGone } from './keep-locks.ts'
import { toLocked } from './lock-hash.ts'
import { packageLockTable, packageUseTable, type LockRow } from './package-tables.ts'

export interface LocksQuery {
  limit: number
  cursor?: string | undefined
  search?: string | undefined
}

const exactMoment = sql<string>`to_char(${packageLockTable.createdAt} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`

/** Locks of a team, newest first, with what names them. */
export async function listLocks(
  database: Database,
  teamId: string,
  { limit, cursor, search }: LocksQuery,
  sizeOf: (lock: LockRow) => Promise<number | null>,
): Promise<Page<ListedSet>> {
  const after = cursor ? decodeMomentCursor(cursor) : undefined
  await releaseGone(database, teamId)
  const { rows, uses } = await database.transaction({ team: teamId }, async (transaction) => {
    const rows = await transaction
      .select({ lock: packageLockTable, exactly: exactMoment })
      .from(packageLockTable)
      .where(
        and(
          eq(packageLockTable.teamId, teamId),
          after === undefined
            ? undefined
            : sql`(${packageLockTable.createdAt}, ${packageLockTable.hash}) < (${after.at}::timestamptz, ${after.id})`,
          search
            ? sql`EXISTS (SELECT FROM jsonb_array_elements(${packageLockTable.packages}) AS one
                WHERE position(lower(${search}) IN lower(one->>'name')) > 0)`
            : undefined,
        ),
      )
      .orderBy(desc(packageLockTable.createdAt), desc(packageLockTable.hash))
      .limit(limit + 1)
    const hashes = rows.map(({ lock }) => lock.hash)
    const uses =
      hashes.length === 0
        ? []
        : await transaction
            .select({ hash: packageUseTable.hash, ...usedByFields })
            .from(packageUseTable)
            .where(and(eq(packageUseTable.teamId, teamId), inArray(packageUseTable.hash, hashes)))
    return { rows, uses }
  })
  const page = takePage(rows, limit, ({ exactly, lock }) => [exactly, lock.hash])
  const items = page.items.map(async ({ lock }) => ({
    hash: lock.hash,
    language: lock.language,
    requirements: lock.requirements,
    packages: lock.packages.map(toLocked),
    diskBytes: await sizeOf(lock),
    askedBy: lock.askedByName,
    createdAt: lock.createdAt.toISOString(),
    lastUsedAt: lock.lastUsedAt.toISOString(),
    usedBy: toUsedBy(uses.filter(({ hash }) => hash === lock.hash)),
  }))
  return { ...page, items: await Promise.all(items) }
}

const usedByFields = {
  kind: packageUseTable.kind,
  ownerId: packageUseTable.ownerId,
  name: packageUseTable.name,
  isSeen: isThere,
}
type Use = Pick<typeof packageUseTable.$inferSelect, 'kind' | 'ownerId' | 'name'> & { isSeen: boolean }

/** What is somebody's own keeps a lock from going and is not told by its name. */
function toUsedBy(uses: readonly Use[]): ListedSet['usedBy'] {
  const seen = uses.filter(({ isSeen }) => isSeen)
  return [
    ...seen.map(({ kind, ownerId, name }) => ({ kind, id: ownerId, name: kind === 'tool' ? ownerId : name })),
    ...(seen.length < uses.length ? [{ kind: 'private' as const, id: '', name: privateThing }] : []),
  ]
}

export const privateThing = 'tool or sandbox'
