import { CoherexError } from '@coherex/contract'
import { and, desc, eq, inArray, lt, sql } from 'drizzle-orm'
import { recordAudit, type TeamCaller } from '../access/index.ts'
import { forEachTeam, type Database, type EventBus } from '../base/index.ts'
import { isThere, releaseGone } from './keep-locks.ts'
import { privateThing } from './list-locks.ts'
import type { PackageSource } from './package-source.ts'
import { packageLockTable, packageUseTable, type LockRow } from './package-tables.ts'
import type { SetMaker } from './set-maker.ts'
import type { SetStore } from './set-store.ts'

export interface PruneDeps {
  database: Database
  events: EventBus
  sets: SetStore
  maker: SetMaker
}

const dayMs = 24 * 3_600_000
// a run that began with it may still be under way
const inUseMs = 3_600_000

const isUnnamed = sql`NOT EXISTS (SELECT FROM ${packageUseTable}
  WHERE ${packageUseTable.teamId} = ${packageLockTable.teamId} AND ${packageUseTable.hash} = ${packageLockTable.hash})`

/** Forgets one lock. */
export async function removeLock(deps: PruneDeps, caller: TeamCaller, hash: string): Promise<void> {
  const { teamId } = caller
  await releaseGone(deps.database, teamId)
  const removed = await deps.database.transaction({ team: teamId }, async (transaction) => {
    const ofLock = and(eq(packageLockTable.teamId, teamId), eq(packageLockTable.hash, hash))
    const [row] = await transaction.select().from(packageLockTable).where(ofLock).for('update')
    if (!row) throw new CoherexError('not_found', 'There is no such lock')
    const { kind, name } = packageUseTable
    const [used] = await transaction
      .select({ kind, name, isSeen: isThere })
      .from(packageUseTable)
      .where(and(eq(packageUseTable.teamId, teamId), eq(packageUseTable.hash, hash)))
      .orderBy(desc(isThere))
      .limit(1)
    if (used) {
      const user = used.isSeen ? `the ${used.kind} "${used.name}"` : `a private ${privateThing}`
      throw new CoherexError('conflict', `Cannot remove these packages: ${user} uses them`)
    }
    await transaction.delete(packageLockTable).where(ofLock)
    const target = { kind: 'lock', id: hash, name: row.requirements.join(', ').slice(0, 200) }
    await recordAudit(transaction, { teamId, actor: caller, action: 'package.remove', target })
    return row
  })
  await deps.events.publish({ teamId, type: 'package-remove', id: hash })
  await removeSets(deps, teamId, [removed])
}

/** Forgets the locks of a team that nothing names and nobody used for some days. */
export async function pruneLocks(
  deps: PruneDeps,
  caller: TeamCaller,
  unusedDays: number,
): Promise<{ removed: number; freedBytes: number }> {
  const { teamId } = caller
  await releaseGone(deps.database, teamId)
  const gone = await deps.database.transaction({ team: teamId }, async (transaction) => {
    const before = new Date(Date.now() - unusedDays * dayMs)
    const rows = await transaction
      .delete(packageLockTable)
      .where(and(eq(packageLockTable.teamId, teamId), lt(packageLockTable.lastUsedAt, before), isUnnamed))
      .returning()
    const details = { removed: rows.length, unusedDays }
    await recordAudit(transaction, { teamId, actor: caller, action: 'package.prune', details })
    return rows
  })
  if (gone.length > 0) await deps.events.publish({ teamId, type: 'package-remove', id: null })
  return { removed: gone.length, freedBytes: await removeSets(deps, teamId, gone) }
}

const forgetAfterDays = 90

/** Forgets, for every team, locks that nothing names and nobody used for three months. Their folders go by size. */
export async function prunePackages(database: Database): Promise<void> {
  const before = new Date(Date.now() - forgetAfterDays * dayMs)
  await forEachTeam(database, async (teamId) => {
    await releaseGone(database, teamId)
    await database.transaction({ team: teamId }, (transaction) =>
      transaction
        .delete(packageLockTable)
        .where(and(eq(packageLockTable.teamId, teamId), lt(packageLockTable.lastUsedAt, before), isUnnamed)),
    )
  })
}

/** Removes the folders of locks that no team has any more. */
async function removeSets({ database, sets, maker }: PruneDeps, teamId: string, locks: LockRow[]): Promise<number> {
  const wanted = new Map(locks.map((lock) => [maker.folderOf(teamId, lock), lock]))
  if (wanted.size === 0) return 0
  const hashes = locks.map(({ hash }) => hash)
  await forEachTeam(database, async (team) => {
    const rows = await database.transaction({ team }, (transaction) =>
      transaction
        .select()
        .from(packageLockTable)
        .where(and(eq(packageLockTable.teamId, team), inArray(packageLockTable.hash, hashes))),
    )
    for (const row of rows) wanted.delete(maker.folderOf(team, row))
  })
  let freed = 0
  for (const { folder, bytes, usedAt } of await sets.list()) {
    if (!wanted.has(folder) || Date.now() - usedAt < inUseMs) continue
    await sets.remove(folder)
    freed += bytes
  }
  return freed
}

/** Removes what was used longest ago until all sets take no more than they may. Locks stay, and are fetched again when used. */
export async function keepWithin(
  { database, sets, maker, sources }: PruneDeps & { sources: readonly PackageSource[] },
  mostBytes: number,
): Promise<string[]> {
  const all = await sets.list()
  let bytes = all.reduce((sum, one) => sum + one.bytes, 0)
  if (bytes <= mostBytes) return []
  const named = new Set<string>()
  await forEachTeam(database, async (team) => {
    await releaseGone(database, team)
    const rows = await database.transaction({ team }, (transaction) =>
      transaction
        .selectDistinct({
          hash: packageLockTable.hash,
          language: packageLockTable.language,
          index: packageLockTable.index,
        })
        .from(packageLockTable)
        .innerJoin(
          packageUseTable,
          and(eq(packageUseTable.teamId, packageLockTable.teamId), eq(packageUseTable.hash, packageLockTable.hash)),
        )
        .where(eq(packageLockTable.teamId, team)),
    )
    for (const row of rows) named.add(maker.folderOf(team, row))
  })
  const removed: string[] = []
  for (const one of all.toSorted((a, b) => a.usedAt - b.usedAt)) {
    if (bytes <= mostBytes) break
    if (named.has(one.folder) || Date.now() - one.usedAt < inUseMs) continue
    await sets.remove(one.folder)
    removed.push(one.folder)
    bytes -= one.bytes
  }
  // files of a set are links to what a source has unpacked: only now is their room free
  for (const source of sources) await source.freeUnused?.()
  return removed
}
