import type { Blobs } from '../../base/index.ts'
import type { Sandbox } from '../../runtimes/index.ts'
import type { SavedFile } from './sandbox-store.ts'
import type { KnownFile } from './save-files.ts'

const atOnce = 8

/** Puts saved files back into a fresh sandbox. Answers what is known of them there, and the paths that could not be put back. */
export async function restoreFiles({
  inside,
  saved,
  blobs,
  teamId,
}: {
  inside: Sandbox
  saved: SavedFile[]
  blobs: Blobs
  teamId: string
}): Promise<{ known: Map<string, KnownFile>; lost: string[] }> {
  const lost: string[] = []
  // sorted by path, so that a folder comes before what is in it
  for (const { path, hash } of saved) if (hash === null) await inside.files.makeDirectory(path)
  const waiting = saved.filter(({ hash }) => hash !== null).values()
  const restoreRest = async () => {
    for (const { path, hash } of waiting) {
      const body = hash === null ? undefined : await blobs.read(teamId, hash)
      if (body) await inside.files.write(path, body)
      else lost.push(path)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, restoreRest))

  const hashes = new Map(saved.map(({ path, hash }) => [path, hash]))
  const known = new Map<string, KnownFile>()
  if (saved.length === 0) return { known, lost }
  for (const { path, stamp, size } of await inside.files.list('', { recursive: true })) {
    const hash = hashes.get(path)
    if (hash !== undefined) known.set(path, { stamp, size, hash })
  }
  return { known, lost }
}
