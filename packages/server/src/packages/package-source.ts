import type { LockedPackage, PackageLanguage, PackageInfo } from '@coherex/contract'

/** A package of a lock, with all that is needed to lay it out again. */
export interface ResolvedPackage extends LockedPackage {
  /** Of its archive, as the registry named it. */
  url: string
  /** Of npm: where it stands under `node_modules`, such as `a` and `b/node_modules/a`. */
  places?: readonly string[]
  /** Of npm: what a lock file repeats of its package.json, such as `dependencies`. */
  manifest?: Readonly<Record<string, unknown>>
  /** A source distribution of Python: it has to be built. */
  isSource?: true
}

export interface ResolveRules {
  /** Releases after this moment do not exist. */
  before?: Date
  allowBuilds: boolean
  /** Another registry than the machine's, and then the only one. */
  index?: string
  /** A lock file of the language, whose versions are taken where they fit: `package-lock.json`, `pylock.toml`. */
  lockFile?: string
}

export interface LayOutOptions {
  /** Of what is unpacked, together. */
  maxBytes: number
  allowBuilds: boolean
  /** The other registry than the machine's that they were resolved from: what came from there is kept apart. */
  index?: string
  signal: AbortSignal
  onProgress(done: FetchProgress): void
}

/** How far the packages of a lock are fetched. */
export interface FetchProgress {
  packages: number
  of: number
  bytes: number
  /** Names of those whose archives are on their way. */
  fetching?: readonly string[]
}

/** A registry and what it takes to use its packages. Failures are CoherexErrors with the way out in them. */
export interface PackageSource {
  readonly language: PackageLanguage
  /** What a set depends on besides its lock, such as the version of Python and of its base stack. */
  readonly platform?: string
  /** Why it cannot resolve or fetch now, such as a missing `uv`. What is laid out can still be used. */
  unavailable(): string | undefined
  resolve(requirements: readonly string[], rules: ResolveRules, signal: AbortSignal): Promise<ResolvedPackage[]>
  /** Fetches, checks and unpacks them into an empty directory; the names that can be imported. */
  layOut(
    packages: readonly ResolvedPackage[],
    directory: string,
    options: LayOutOptions,
  ): Promise<{ modules: string[] }>
  /** Fetches and checks the archive of one to a new file; its size. */
  fetch?(one: ResolvedPackage, file: string, options: Pick<LayOutOptions, 'maxBytes' | 'signal'>): Promise<number>
  /** Whether they can be laid out with what is kept here, without the registry. */
  isKept?(packages: readonly ResolvedPackage[]): Promise<boolean>
  /** Removes what is kept unpacked and no set uses: the operator's room is used up. */
  freeUnused?(): Promise<void>
  info(name: string, signal: AbortSignal): Promise<PackageInfo | undefined>
  /** The lock as a file of the language that people can read, commit and use elsewhere. */
  toLockFile(requirements: readonly string[], packages: readonly ResolvedPackage[]): { path: string; text: string }
}
