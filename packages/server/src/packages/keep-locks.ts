import type { PackageLanguage } from '@coherex/contract'
import { and, eq, notInArray, sql } from 'drizzle-orm'
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

/** Releases locks of what is gone. Names of things are not of one table, so no reference does it. */
export async function releaseGone(database: Database, teamId: string): Promise<void> {
  await database.transaction({ team: teamId, upkeep: true }, (transaction) =>
    transaction.execute(sql`
      DELETE FROM coherex.package_use AS used WHERE team_id = ${teamId} AND (
        (kind = 'workspace' AND NOT EXISTS
          (SELECT FROM coherex.workspace AS one WHERE one.team_id = used.team_id AND one.id = used.owner_id))
        OR (kind = 'sandbox' AND NOT EXISTS
          (SELECT FROM coherex.sandbox AS one WHERE one.team_id = used.team_id AND one.id = used.owner_id AND one.status <> 'ended'))
        OR (kind = 'tool' AND NOT EXISTS
          (SELECT FROM coherex.tool_version AS one WHERE one.team_id = used.team_id AND one.tool_name || '@' || one.version = used.owner_id))
      )`),
  )
}
