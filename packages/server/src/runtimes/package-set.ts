import type { PackageLanguage } from '@coherex/contract'

/** Where every sandbox sees the folders of package sets, read-only. It cannot be listed: who knows a folder's name may use it. */
export const setsInside = '/opt/sets'

/** Packages of one lock, unpacked on the host and seen by every sandbox under `setsInside`. */
export interface PackageSet {
  /** Of the lock. */
  hash: string
  language: PackageLanguage
  /** Name under `setsInside`. JavaScript has `node_modules` in it, Python `site` and `bin`. */
  folder: string
  /** What can be imported: names of packages of npm, and of top-level modules of Python. */
  modules: readonly string[]
}
