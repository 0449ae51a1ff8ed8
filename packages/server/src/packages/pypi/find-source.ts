import type { Egress } from '../../egress/index.ts'
import type { ResolvedPackage } from '../package-source.ts'
import { isWithin } from '../version-range.ts'
import { readIndexFiles } from './index/index-files.ts'
import type { IndexPlace } from './index/index-place.ts'
import { compareVersions } from './index/package-info.ts'

export interface WantedSource {
  name: string
  /** Versions that will do; empty for any. */
  specifier: string
  before: Date | undefined
}

/** The newest source distribution that will do; undefined where the index has none. */
export async function findSource(
  place: IndexPlace,
  { name, specifier, before }: WantedSource,
  options: { egress: Egress; signal: AbortSignal },
): Promise<ResolvedPackage | undefined> {
  const files = (await readIndexFiles(place, name, options)) ?? []
  const [newest] = files
    .filter(({ filename }) => /\.(?:tar\.gz|zip)$/.test(filename))
    .filter(({ publishedAt }) => !before || (publishedAt !== null && new Date(publishedAt) < before))
    .filter(({ version }) => isWithin('python', version, specifier))
    // one that comes before a release is taken where it is named
    .filter(({ version }) => /^[\d.]+(?:\.?post\d+)?$/.test(version) || specifier.includes(version))
    .sort((a, b) => compareVersions(b.version, a.version))
  if (newest?.integrity === undefined) return undefined
  const { version, url, size, integrity } = newest
  return { name, version, url, size, integrity, isSource: true }
}
