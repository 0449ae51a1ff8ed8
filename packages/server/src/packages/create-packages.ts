import { join } from 'node:path'
import {
  CoherexError,
  type PackageInfo,
  type PackageLanguage,
  type PackagePolicy,
  type PackageTypes,
} from '@coherex/contract'
import type { TeamCaller } from '../access/index.ts'
import type { Database, EventBus, Log } from '../base/index.ts'
import type { SetBundles } from '../runtimes/index.ts'
import { AheadLocks } from './ahead-locks.ts'
import { BrowserBundles } from './browser/browser-bundles.ts'
import { BrowserWheels, type BrowserSource } from './browser/browser-wheels.ts'
import { checkAsked, checkResolved, refusalOf } from './check-policy.ts'
import { keepLocks, selectKept } from './keep-locks.ts'
import { listLocks, type LocksQuery } from './list-locks.ts'
import { keptWorks, LockResolver, noSource } from './lock-resolver.ts'
import { selectLock, toLock, touchLock, type StoredLock } from './lock-store.ts'
import { readTypes } from './npm/read-types.ts'
import type { PackageSource } from './package-source.ts'
import type { Packages, PackagesAsked, Preparation } from './packages.ts'
import { keepWithin, pruneLocks, removeLock } from './prune-locks.ts'
import { parseRequirement, parseRequirements } from './requirement.ts'
import { SetMaker } from './set-maker.ts'
import { SetStore } from './set-store.ts'
import { TeamPolicies } from './team-policies.ts'

export interface PackagesDeps {
  database: Database
  events: EventBus
  log: Log
  /** Where sets are kept. */
  directory: string
  sources: readonly PackageSource[]
  /** Python packages for browsers. */
  browserSource?: BrowserSource | undefined
  /** Makes scripts of sets for pages. */
  setBundles?: SetBundles | undefined
  /** For names of folders that cannot be guessed. */
  key: Uint8Array
  /** Throws where a team may not store as much more. */
  checkStorage?: (teamId: string, bytes: number) => Promise<void>
  /** What all sets may take on disk before the oldest go. */
  mostBytes: number
}

export type PackageVerbs = Awaited<ReturnType<typeof createPackages>>

const touchEveryMs = 10 * 60_000
const fetchDeadlineMs = 20 * 60_000

/** Packages of registries: for rooms that use them, and the verbs for doors. */
export async function createPackages(deps: PackagesDeps) {
  const { database, events, log, sources } = deps
  const sets = new SetStore(deps.directory)
  await sets.open()
  const policies = new TeamPolicies({ database, events })
  const wheels = new BrowserWheels(deps.browserSource, policies, join(deps.directory, 'browser-wheels'))
  const maker = new SetMaker({
    sets,
    sources,
    key: deps.key,
    checkStorage: deps.checkStorage,
    onAdded: () => void tidy(),
  })
  const resolver = new LockResolver(
    { database, events, log, policies, sources, ahead: new AheadLocks(deps.directory) },
    (caller, lock) => layOut(caller, lock, { signal: AbortSignal.timeout(fetchDeadlineMs) }),
  )
  const pruning = { database, events, sets, maker }
  const touched = new Map<string, number>()
  let isTidying = false
  let isClosed = false

  async function tidy(): Promise<void> {
    if (isTidying || isClosed) return
    isTidying = true
    try {
      const removed = await keepWithin({ ...pruning, sources }, deps.mostBytes)
      if (removed.length > 0) log.info({ removed: removed.length }, 'package sets were removed to make room')
    } catch (error) {
      if (!isClosed) log.warn({ error }, 'package sets could not be tidied')
    } finally {
      isTidying = false
    }
  }

  async function layOut(caller: TeamCaller, lock: StoredLock, preparation: Preparation) {
    const policy = await policies.of(caller.teamId)
    const set = await maker.prepare(caller, lock, { policy, preparation })
    touch(caller.teamId, lock.hash)
    return set
  }

  function touch(teamId: string, hash: string): void {
    const place = `${teamId} ${hash}`
    if (Date.now() - (touched.get(place) ?? 0) < touchEveryMs) return
    if (touched.size > 10_000) touched.clear()
    touched.set(place, Date.now())
    // it only tells how old a lock is
    touchLock(database, teamId, hash).catch((error: unknown) => log.debug({ error }, 'a lock was not touched'))
  }

  const packages: Packages = {
    setsDirectory: sets.directory,

    async prepare(caller, asked, preparation) {
      const lock = await resolver.resolve(caller, asked, preparation)
      const set = await layOut(caller, lock, preparation)
      return { lock: toLock(lock, asked.requirements), set }
    },

    async prepareLock(caller, hash, preparation) {
      const lock = await selectLock(database, caller.teamId, hash)
      if (!lock) throw new CoherexError('not_found', 'There is no such lock in this team')
      const asked = parseRequirements(lock.language, lock.requirements)
      const policy = await policies.of(caller.teamId)
      checkAsked(policy, lock.language, asked)
      // the list may have lost a version since
      checkResolved(policy, lock.language, asked, lock.packages)
      return { lock: toLock(lock, lock.requirements), set: await layOut(caller, lock, preparation) }
    },

    async refusal(teamId, language, requirements) {
      const asked = parseRequirements(language, requirements)
      const why = refusalOf(await policies.of(teamId), language, asked)
      return why === undefined ? undefined : new CoherexError('forbidden', why)
    },

    async missing(teamId, asked) {
      const source = sources.find((one) => one.language === asked.language)
      if (!source) return noSource(asked.language)
      const why = source.unavailable()
      if (why === undefined || (await resolver.isKnown(teamId, asked))) return undefined
      return new CoherexError(
        'unavailable',
        `Cannot add ${asked.requirements.slice(0, 5).join(', ')}: ${why}. ${keptWorks}`,
      )
    },

    keep(teamId, owner, hashes, language) {
      return database.transaction({ team: teamId }, (transaction) =>
        keepLocks(transaction, teamId, { ...owner, language }, hashes),
      )
    },

    keptBy(teamId, owner) {
      return database.transaction({ team: teamId }, (transaction) => selectKept(transaction, teamId, owner))
    },
  }

  const browserBundles = new BrowserBundles(packages, deps.setBundles)

  return {
    ...packages,

    /** Resolved and stored; fetched as the caller says. */
    async resolve(
      caller: TeamCaller,
      asked: PackagesAsked & { fetch: 'start' | 'wait' | 'no' },
      preparation: Preparation,
    ) {
      const lock = await resolver.resolve(caller, asked, preparation)
      const source = sources.find((one) => one.language === lock.language)
      if (!source) throw noSource(lock.language)
      if (asked.fetch === 'wait') await layOut(caller, lock, preparation)
      if (asked.fetch === 'start') {
        layOut(caller, lock, { signal: AbortSignal.timeout(fetchDeadlineMs) }).catch((error: unknown) =>
          // whoever uses the lock is told
          log.info({ error }, 'packages were not fetched ahead'),
        )
      }
      return { lock: toLock(lock, asked.requirements), file: source.toLockFile(lock.requirements, lock.packages) }
    },

    async info(language: PackageLanguage, name: string, signal: AbortSignal): Promise<PackageInfo> {
      const asked = parseRequirement(language, name)
      const source = sources.find((one) => one.language === language)
      if (!source) throw noSource(language)
      const missing = source.unavailable()
      if (missing !== undefined) throw new CoherexError('unavailable', missing)
      const info = await source.info(asked.name, signal)
      if (!info) throw new CoherexError('not_found', `The registry has no package "${asked.name}"`)
      return info
    },

    /** Declarations of types in the packages of a lock. */
    async types(caller: TeamCaller, hash: string, preparation: Preparation): Promise<PackageTypes> {
      const { lock, set } = await packages.prepareLock(caller, hash, preparation)
      if (lock.language !== 'javascript')
        throw new CoherexError('invalid_input', 'Only npm packages have types to show')
      // those that were asked for come first, where there is more than an editor is given
      const asked = parseRequirements(lock.language, lock.requirements).map(({ name }) => name)
      const names = new Set([...asked, ...set.modules])
      return readTypes(join(sets.directory, set.folder, 'node_modules'), [...names])
    },

    findWheels: (caller: TeamCaller, modules: readonly string[], signal: AbortSignal) =>
      wheels.find(caller, modules, signal),
    openWheel: (hash: string) => wheels.open(hash),
    bundle: (caller: TeamCaller, imports: readonly string[], signal: AbortSignal) =>
      browserBundles.find(caller, imports, signal),

    list(teamId: string, query: LocksQuery) {
      return listLocks(database, teamId, query, (lock) => sets.sizeOf(maker.folderOf(teamId, lock)))
    },

    /** What packages of a team's own registries take of its storage. */
    privateMb: (teamId: string): number => sets.bytesOf(teamId) / 1024 / 1024,
    policy: (teamId: string): Promise<PackagePolicy> => policies.of(teamId),
    setPolicy: (caller: TeamCaller, policy: PackagePolicy) => policies.set(caller, policy),
    prune: (caller: TeamCaller, unusedDays: number) => pruneLocks(pruning, caller, unusedDays),
    remove: (caller: TeamCaller, hash: string) => removeLock(pruning, caller, hash),
    tidy,

    close(): void {
      isClosed = true
      policies.close()
      resolver.close()
    },
  }
}
