import { createHash } from 'node:crypto'
import type { LockedPackage, PackageLanguage } from '@coherex/contract'
import type { ResolvedPackage } from './package-source.ts'

/** Names the content of a lock: the same packages in the same places, wherever they came from and whoever asked. */
export function hashLock(language: PackageLanguage, packages: readonly ResolvedPackage[]): string {
  const lines = packages
    .map(({ name, version, integrity, places = [] }) => JSON.stringify([name, version, integrity, [...places].sort()]))
    .sort()
  return createHash('sha256')
    .update([language, ...lines].join('\n'))
    .digest('hex')
}

/** What people are told of a package. */
export function toLocked(one: ResolvedPackage): LockedPackage {
  const { name, version, integrity, size, manifest } = one
  const dependencies = one.dependencies ?? (manifest && namesIn(manifest))
  return { name, version, integrity, size, ...(dependencies && { dependencies }) }
}

function namesIn(manifest: Readonly<Record<string, unknown>>): string[] {
  const fields = [manifest['dependencies'], manifest['optionalDependencies'], manifest['peerDependencies']]
  return [
    ...new Set(fields.flatMap((field) => (typeof field === 'object' && field !== null ? Object.keys(field) : []))),
  ]
}
