import type { PackageInfo } from '@coherex/contract'
import type { Egress } from '../../../egress/index.ts'
import { normalizeName } from '../requirement.ts'
import { fetchNamed } from './index-fetch.ts'
import { type IndexFile, readIndexFiles } from './index-files.ts'
import type { IndexPlace } from './index-place.ts'

const maxMetadata = 300_000
const mostVersions = 50

interface Release {
  version: string
  publishedAt: string | null
  size: number | null
  /** Of a wheel, whose metadata the index may have beside it. */
  wheel?: string
}

/** What the index tells of one package; undefined where it has none of that name. */
export async function readPackageInfo(
  place: IndexPlace,
  name: string,
  { egress, signal }: { egress: Egress; signal: AbortSignal },
): Promise<PackageInfo | undefined> {
  const files = await readIndexFiles(place, name, { egress, signal })
  if (!files) return undefined
  const releases = newest(files)
  const wheel = releases.find((release) => release.wheel !== undefined)?.wheel
  const told = wheel
    ? await fetchNamed(place, { url: `${wheel}.metadata`, maxBytes: maxMetadata }, { egress, signal })
    : undefined
  return {
    name: normalizeName(name),
    summary: told?.status === 200 ? summaryOf(Buffer.from(told.body).toString('utf8')) : '',
    versions: releases.map(({ version, publishedAt, size }) => ({ version, publishedAt, size })),
  }
}

function summaryOf(metadata: string): string {
  const [head = ''] = metadata.split(/\r?\n\r?\n/, 1)
  return /^Summary:[ \t]*(.{1,500})/m.exec(head)?.[1]?.trim() ?? ''
}

/** One release for all its files: when it came, and its smallest wheel. */
function newest(files: readonly IndexFile[]): Release[] {
  const releases = new Map<string, Release>()
  for (const { filename, version, url, publishedAt, size } of files) {
    const known = releases.get(version)
    const isWheel = filename.endsWith('.whl')
    const wheel = known?.wheel ?? (isWheel ? url : undefined)
    releases.set(version, {
      version,
      publishedAt: known?.publishedAt ?? publishedAt,
      size: isWheel && size !== null ? Math.min(size, known?.size ?? Infinity) : (known?.size ?? null),
      ...(wheel !== undefined && { wheel }),
    })
  }
  return [...releases.values()].sort((a, b) => compareVersions(b.version, a.version)).slice(0, mostVersions)
}

/** Good enough to list them: numbers first, and what comes before a release before it. */
export function compareVersions(a: string, b: string): number {
  const [one, other] = [partsOf(a), partsOf(b)]
  for (let index = 0; index < Math.max(one.length, other.length); index++) {
    const difference = (one[index] ?? 0) - (other[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

function partsOf(version: string): number[] {
  const [, epoch = '0', numbers = '0', rest = ''] = /^v?(?:(\d+)!)?(\d+(?:\.\d+)*)(.*)$/.exec(version) ?? []
  const release = numbers.split('.').map(Number)
  while (release.length < 6) release.push(0)
  return [Number(epoch), ...release.slice(0, 6), earliness(rest), Number(/(\d+)/.exec(rest)?.[1] ?? 0)]
}

/** Zero for a release, and less the longer before it. */
function earliness(rest: string): number {
  const word = /^[._-]?(dev|a|b|c|rc|pre)/i.exec(rest)?.[1]?.toLowerCase()
  if (word === undefined) return 0
  return { dev: -4, a: -3, b: -2 }[word] ?? -1
}
