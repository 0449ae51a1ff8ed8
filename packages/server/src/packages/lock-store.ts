import type { PackageLanguage, PackageLock } from '@coherex/contract'
import { and, eq, sql } from 'drizzle-orm'
import { recordAudit, type TeamCaller } from '../access/index.ts'
import type { Database, Transaction } from '../base/index.ts'
import { hashLock, toLocked } from './lock-hash.ts'
import type { ResolvedPackage } from './package-source.ts'
import { packageLockTable, packageResolutionTable, packageSeenTable, type LockRow } from './package-tables.ts'

/** A lock with all that is needed to have it laid out. */
export type StoredLock = Pick<LockRow, 'hash' | 'language' | 'requirements' | 'packages' | 'index'>

export interface NewLock {
  /** What the question is remembered by. */
  key: string
  language: PackageLanguage
  requirements: string[]
  packages: ResolvedPackage[]
  index: string | null
}

/** Keeps what was resolved, tells the audit log of packages that the team had not before, and answers the lock. */
export async function storeLock(database: Database, caller: TeamCaller, resolved: NewLock): Promise<StoredLock> {
  const { teamId, person } = caller
  const { key, ...lock } = resolved
  const stored: StoredLock = { ...lock, hash: hashLock(lock.language, lock.packages) }
  await database.transaction({ team: teamId }, async (transaction) => {
    await transaction
      .insert(packageLockTable)
      .values({ teamId, ...stored, askedBy: person.id, askedByName: person.name })
      .onConflictDoUpdate({
        target: [packageLockTable.teamId, packageLockTable.hash],
        set: {
          lastUsedAt: new Date(),
          // what the public registry has too is nobody's own
          index: sql`CASE WHEN ${packageLockTable.index} IS NULL THEN NULL ELSE excluded.index END`,
        },
      })
    await transaction
      .insert(packageResolutionTable)
      .values({ teamId, key, hash: stored.hash })
      .onConflictDoUpdate({
        target: [packageResolutionTable.teamId, packageResolutionTable.key],
        set: { hash: stored.hash, resolvedAt: new Date() },
      })
    await tellNew(transaction, caller, stored)
  })
  return stored
}

async function tellNew(transaction: Transaction, caller: TeamCaller, lock: StoredLock): Promise<void> {
  const { teamId } = caller
  const { language, hash, requirements } = lock
  const named = new Map(lock.packages.map((one) => [`${one.name} ${one.version}`, one]))
  if (named.size === 0) return
  const isNew = await transaction
    .insert(packageSeenTable)
    .values([...named.values()].map(({ name, version }) => ({ teamId, language, name, version })))
    .onConflictDoNothing()
    .returning()
  if (isNew.length === 0) return
  await recordAudit(
    transaction,
    ...isNew.map(({ name, version }) => ({
      teamId,
      actor: caller,
      action: 'package.add' as const,
      target: { kind: 'package', id: name, name: `${name} ${version}` },
      details: { language, version, lock: hash, asked: requirements },
    })),
  )
}

export async function selectLock(database: Database, teamId: string, hash: string): Promise<StoredLock | undefined> {
  const [row] = await database.transaction({ team: teamId }, (transaction) =>
    transaction
      .select()
      .from(packageLockTable)
      .where(and(eq(packageLockTable.teamId, teamId), eq(packageLockTable.hash, hash))),
  )
  return row
}

/** What the same question got, and when. */
export async function selectResolution(
  database: Database,
  teamId: string,
  key: string,
): Promise<{ lock: StoredLock; resolvedAt: Date } | undefined> {
  const [row] = await database.transaction({ team: teamId }, (transaction) =>
    transaction
      .select({ lock: packageLockTable, resolvedAt: packageResolutionTable.resolvedAt })
      .from(packageResolutionTable)
      .innerJoin(
        packageLockTable,
        and(
          eq(packageLockTable.teamId, packageResolutionTable.teamId),
          eq(packageLockTable.hash, packageResolutionTable.hash),
        ),
      )
      .where(and(eq(packageResolutionTable.teamId, teamId), eq(packageResolutionTable.key, key))),
  )
  return row
}

/** A lock as people see it, for rooms that name it by its hash. */
export async function readLock(database: Database, teamId: string, hash: string): Promise<PackageLock | undefined> {
  const lock = await selectLock(database, teamId, hash)
  return lock && toLock(lock, lock.requirements)
}

export async function touchLock(database: Database, teamId: string, hash: string): Promise<void> {
  await database.transaction({ team: teamId, durable: false }, (transaction) =>
    transaction
      .update(packageLockTable)
      .set({ lastUsedAt: new Date() })
      .where(and(eq(packageLockTable.teamId, teamId), eq(packageLockTable.hash, hash))),
  )
}

/** A lock as people see it, with what they asked for. */
export function toLock({ hash, language, packages }: StoredLock, requirements: readonly string[]): PackageLock {
  return { hash, language, requirements: [...requirements], packages: packages.map(toLocked) }
}
