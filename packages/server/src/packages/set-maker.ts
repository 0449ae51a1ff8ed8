import { createHmac } from 'node:crypto'
import { CoherexError, formatBytes, type PackagePolicy } from '@coherex/contract'
import type { TeamCaller } from '../access/index.ts'
import { diskFullError, isDiskFull } from '../base/index.ts'
import type { PackageSet } from '../runtimes/index.ts'
import { hashLock } from './lock-hash.ts'
import { noSource } from './lock-resolver.ts'
import type { StoredLock } from './lock-store.ts'
import type { FetchProgress, PackageSource } from './package-source.ts'
import type { Preparation } from './packages.ts'
import type { KeptSet, SetStore } from './set-store.ts'
import { SharedWork } from './shared-work.ts'

export interface SetMakerDeps {
  sets: SetStore
  sources: readonly PackageSource[]
  /** For the names of folders that no other team may guess. */
  key: Uint8Array
  /** Throws where a team may not store as much more. */
  checkStorage?: ((teamId: string, bytes: number) => Promise<void>) | undefined
  /** A set was added. */
  onAdded(): void
}

const megabyte = 1024 * 1024
const layOutDeadlineMs = 15 * 60_000
const tellEveryMs = 1000

/** Has the packages of locks laid out on disk: once, whoever asks for them. */
export class SetMaker {
  readonly #deps: SetMakerDeps
  readonly #work = new SharedWork<KeptSet>()

  constructor(deps: SetMakerDeps) {
    this.#deps = deps
  }

  /** Where the set of a lock lies. What is public is shared; what came from a team's own registry is that team's. */
  folderOf(teamId: string, { hash, language, index }: Pick<StoredLock, 'hash' | 'language' | 'index'>): string {
    const platform = this.#sourceOf(language)?.platform
    if (index === null && platform === undefined) return hash
    const owner = index === null ? '' : teamId
    return createHmac('sha256', this.#deps.key)
      .update(JSON.stringify([hash, platform ?? '', owner]))
      .digest('hex')
  }

  async prepare(
    caller: TeamCaller,
    lock: StoredLock,
    { policy, preparation }: { policy: PackagePolicy; preparation: Preparation },
  ): Promise<PackageSet> {
    const folder = this.folderOf(caller.teamId, lock)
    const kept =
      (await this.#deps.sets.find(folder)) ?? (await this.#make(caller, folder, lock, { policy, preparation }))
    if (kept.hash !== lock.hash) throw changed(lock)
    // another team's rules may have let more through
    if (kept.bytes > policy.maxMb * megabyte) throw tooLarge(lock, kept.bytes, policy)
    const { hash, language, modules } = kept
    return { hash, language, folder, modules }
  }

  async #make(
    { teamId }: TeamCaller,
    folder: string,
    lock: StoredLock,
    { policy, preparation }: { policy: PackagePolicy; preparation: Preparation },
  ): Promise<KeptSet> {
    const { language, packages, hash } = lock
    if (hashLock(language, packages) !== hash) throw changed(lock)
    const source = this.#sourceOf(language)
    if (!source) throw noSource(language)
    const missing = source.unavailable()
    const isKept = lock.index === null && missing !== undefined && (await source.isKept?.(packages))
    if (missing !== undefined && !isKept)
      throw new CoherexError('unavailable', `Cannot fetch ${packages.length} packages: ${missing}`)
    const maxBytes = policy.maxMb * megabyte
    const archives = packages.reduce((sum, { size }) => sum + (size ?? 0), 0)
    if (archives > maxBytes) throw tooLarge(lock, archives, policy)
    // public packages are the operator's to store, those of a team's own registry the team's
    if (lock.index !== null) await this.#deps.checkStorage?.(teamId, archives)
    const { allowBuilds } = policy
    const key = `${folder} ${maxBytes} ${allowBuilds}`
    return this.#work.join(key, { ...preparation, teamId }, async (signal, tell) => {
      const deadline = AbortSignal.timeout(layOutDeadlineMs)
      const options = {
        ...{ maxBytes, allowBuilds },
        ...(lock.index !== null && { index: lock.index }),
        signal: AbortSignal.any([signal, deadline]),
        onProgress: tellNowAndThen(packages, tell),
      }
      const owner = lock.index === null ? undefined : teamId
      const kept = await this.#deps.sets
        .add({ folder, hash, language, owner }, (directory) => source.layOut(packages, directory, options))
        .catch((error: unknown) => {
          throw isDiskFull(error) ? diskFullError(error) : error
        })
      this.#deps.onAdded()
      return kept
    })
  }

  #sourceOf(language: StoredLock['language']): PackageSource | undefined {
    return this.#deps.sources.find((one) => one.language === language)
  }
}

/** A line for each package that is there, and each second for one that takes longer. */
function tellNowAndThen(packages: StoredLock['packages'], tell: (line: string) => void) {
  let [toldAt, told] = [-tellEveryMs, -1]
  return (done: FetchProgress): void => {
    if (done.packages === told && performance.now() - toldAt < tellEveryMs) return
    ;[toldAt, told] = [performance.now(), done.packages]
    const names = (done.fetching ?? []).slice(0, 3).map((name) => {
      const size = packages.find((one) => one.name === name)?.size
      return size ? `${name} (${formatBytes(size)})` : name
    })
    const now = names.length > 0 ? `: ${names.join(', ')}` : ''
    tell(`Fetching ${done.packages} of ${done.of} packages, ${formatBytes(done.bytes)}${now}`)
  }
}

function changed({ hash }: StoredLock): CoherexError {
  return new CoherexError(
    'conflict',
    `The lock ${hash.slice(0, 12)} no longer matches its packages, and nothing of it is used: resolve its requirements again`,
  )
}

function tooLarge({ packages }: StoredLock, bytes: number, { maxMb }: PackagePolicy): CoherexError {
  return new CoherexError(
    'forbidden',
    `Cannot add ${packages.length} packages of ${formatBytes(bytes)}: the rules of this team allow ${maxMb} MB; an admin can raise it in Settings › Packages`,
  )
}
