import type { PublishedVersion } from './documents.ts'

/** All digests that a registry tells of a release; the oldest have a SHA-1 in hexadecimal alone. */
export function integrityOf({ dist }: PublishedVersion): string {
  if (typeof dist.integrity === 'string' && dist.integrity !== '') return dist.integrity
  return dist.shasum ? `sha1-${Buffer.from(dist.shasum, 'hex').toString('base64')}` : ''
}

const repeated = [
  'dependencies',
  'optionalDependencies',
  'peerDependencies',
  'peerDependenciesMeta',
  'bundleDependencies',
  'bin',
  'engines',
  'os',
  'cpu',
  'libc',
  'hasInstallScript',
] as const

/** What a lock file repeats of a release. */
export function manifestOf(published: PublishedVersion): Record<string, unknown> {
  const all = published as unknown as Record<string, unknown>
  return Object.fromEntries(repeated.flatMap((field) => (isEmpty(all[field]) ? [] : [[field, all[field]]])))
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === 'object' && Object.keys(value).length === 0)
}
