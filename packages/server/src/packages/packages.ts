import type { CoherexError, PackageLanguage, PackageLock } from '@coherex/contract'
import type { TeamCaller } from '../access/index.ts'
import type { PackageSet } from '../runtimes/index.ts'
import type { LockOwner } from './keep-locks.ts'

export interface PackagesAsked {
  language: PackageLanguage
  requirements: readonly string[]
  /** A lock file beside the code. */
  lockFile?: string | undefined
  /** A lock of the team whose versions are taken where they fit, and where there is no file. */
  like?: string | undefined
  /** A team's own registry. */
  index?: string | undefined
}

export interface Preparation {
  signal: AbortSignal
  /** One line in plain words, such as "Fetching 3 of 12 packages, 8 MB". */
  onProgress?: ((line: string) => void) | undefined
}

/** Packages as rooms above use them: resolved by the team's rules, locked, kept and ready to be mounted. */
export interface Packages {
  /** What sandboxes are shown at `setsInside`, read-only. */
  readonly setsDirectory: string
  /** Resolved once and known from then on; fetched where it is not there. Milliseconds when it is. */
  prepare(
    caller: TeamCaller,
    asked: PackagesAsked,
    preparation: Preparation,
  ): Promise<{ lock: PackageLock; set: PackageSet }>
  /** A lock of the team again, fetched where it was pruned. */
  prepareLock(
    caller: TeamCaller,
    hash: string,
    preparation: Preparation,
  ): Promise<{ lock: PackageLock; set: PackageSet }>
  /** Why these are refused by the team's rules. */
  refusal(teamId: string, language: PackageLanguage, requirements: readonly string[]): Promise<CoherexError | undefined>
  /** Why these could not be had now, where that is known without a try: no registry can be asked, and no lock of before answers. */
  missing(teamId: string, asked: PackagesAsked): Promise<CoherexError | undefined>
  /** Says which locks something names from now on, of one language or of all, which keeps them: none releases them. */
  keep(teamId: string, owner: LockOwner, hashes: readonly string[], language?: PackageLanguage): Promise<void>
  /** The locks that something names. */
  keptBy(teamId: string, owner: Omit<LockOwner, 'name'>): Promise<{ hash: string; language: PackageLanguage }[]>
}
