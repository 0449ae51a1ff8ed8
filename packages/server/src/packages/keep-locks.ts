import type { PackageLanguage } from '@coherex/contract'
import { and, eq, not, notInArray, sql } from 'drizzle-orm'
import type { Database, Transaction } from '../base/index.ts'
import { packageLockTable, packageUseTable } from './package-tables.ts'

/** Something that names locks: as long as it does, they stay. */
export interface LockOwner {
  kind: 'workspace' | 'template' | 'sandbox' | 'tool'
  id: string
  name: string
}

/** Says which locks an owner names from now on, of one language or of all: none releases them. */
export async function keepLocks(
  transaction: Transaction,
  teamId: string,
  { kind, id, name, language }: LockOwner & { language?: PackageLanguage | undefined },
  hashes: readonly string[],
): Promise<void> {
  await transaction.delete(packageUseTable).where(
    and(
      eq(packageUseTable.teamId, teamId),
      eq(packageUseTable.kind, kind),
      eq(packageUseTable.ownerId, id),
      hashes.length > 0 ? notInArray(packageUseTable.hash, [...hashes]) : undefined,
      language === undefined
        ? undefined
        : sql`EXISTS (SELECT FROM coherex.package_lock AS one
              WHERE one.team_id = ${teamId} AND one.hash = ${packageUseTable.hash} AND one.language = ${language})`,
    ),
  )
  if (hashes.length === 0) return
  await transaction
    .insert(packageUseTable)
    .values(hashes.map((hash) => ({ teamId, kind, ownerId: id, hash, name })))
    .onConflictDoNothing()
}

/** The locks that an owner names. */
export async function selectKept(
  transaction: Transaction,
  teamId: string,
  { kind, id }: Omit<LockOwner, 'name'>,
): Promise<{ hash: string; language: PackageLanguage }[]> {
  const ofTeam = eq(packageUseTable.teamId, teamId)
  return transaction
    .select({ hash: packageLockTable.hash, language: packageLockTable.language })
    .from(packageUseTable)
    .innerJoin(
      packageLockTable,
      and(eq(packageLockTable.teamId, packageUseTable.teamId), eq(packageLockTable.hash, packageUseTable.hash)),
    )
    .where(and(ofTeam, eq(packageUseTable.kind, kind), eq(packageUseTable.ownerId, id)))
}

/** Whether what names a lock is there, as far as the transaction sees: names of things are not of one table, so no reference tells. */
export const isThere = sql<boolean>`CASE package_use.kind
  WHEN 'workspace' THEN EXISTS (SELECT FROM coherex.workspace AS one
    WHERE one.team_id = package_use.team_id AND one.id = package_use.owner_id)
  WHEN 'sandbox' THEN EXISTS (SELECT FROM coherex.sandbox AS one
    WHERE one.team_id = package_use.team_id AND one.id = package_use.owner_id AND one.status <> 'ended')
  WHEN 'tool' THEN EXISTS (SELECT FROM coherex.tool_version AS one
    WHERE one.team_id = package_use.team_id AND one.tool_name || '@' || one.version = package_use.owner_id)
  ELSE true END`

/** Releases locks of what is gone. */
export async function releaseGone(database: Database, teamId: string): Promise<void> {
  await database.transaction({ team: teamId, upkeep: true }, (transaction) =>
    transaction.delete(packageUseTable).where(and(eq(packageUseTable.teamId, teamId), not(isThere))),
  )
}
