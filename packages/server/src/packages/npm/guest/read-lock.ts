import type { Documents } from './documents.ts'
import { Failure } from './failure.ts'
import { integrityOf, manifestOf } from './published.ts'

interface LockedEntry {
  name?: string
  version?: string
  integrity?: string
  link?: boolean
  inBundle?: boolean
}

const atOnce = 12

/** A lock file with what the registry still has, and with none of its addresses. Undefined where it is of an older form. */
export async function readLock(
  text: string,
  documents: Documents,
): Promise<{ lockfileVersion: 3; requires: true; packages: Record<string, LockedEntry> } | undefined> {
  const entries = Object.entries(readPackages(text) ?? {}).filter(([place]) => place.startsWith('node_modules/'))
  if (entries.length === 0) return undefined
  const kept: Record<string, LockedEntry> = {}
  const waiting = [...entries]
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [place, entry] = next
      const found = await findLocked(place, entry, documents)
      if (found) kept[place] = found
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return { lockfileVersion: 3, requires: true, packages: kept }
}

/** The entry with what the registry says of it; undefined where it is to be resolved anew. */
async function findLocked(place: string, entry: LockedEntry, documents: Documents): Promise<LockedEntry | undefined> {
  const own = place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)
  const { name = own, version, inBundle } = entry
  if (entry.link || version === undefined) return undefined
  if (inBundle) return { version, inBundle }
  const published = (await documents.find(name))?.versions[version]
  if (!published) return undefined
  const integrity = integrityOf(published)
  if (entry.integrity !== undefined && !sharesDigest(entry.integrity, integrity)) {
    throw new Failure(
      'lock',
      `The lock file names another content of "${name}@${version}" than the registry has: make it anew, or look who changed it`,
    )
  }
  return { ...(name !== own && { name }), version, integrity, ...manifestOf(published) }
}

// an old lock may know the SHA-1 and the registry more
function sharesDigest(locked: string, published: string): boolean {
  const known = new Set(published.split(/\s+/))
  const kinds = new Set([...known].map((digest) => digest.split('-')[0]))
  const comparable = locked.split(/\s+/).filter((digest) => kinds.has(digest.split('-')[0]))
  return comparable.length === 0 || comparable.some((digest) => known.has(digest))
}

function readPackages(text: string): Record<string, LockedEntry> | undefined {
  try {
    const { packages } = JSON.parse(text) as { packages?: Record<string, LockedEntry> }
    return packages
  } catch {
    throw new Failure('lock', 'The lock file package-lock.json is not valid JSON')
  }
}
