import { CoherexError } from '@coherex/contract'
import type { Blobs } from '../../../base/index.ts'
import type { Sandbox } from '../../../runtimes/index.ts'
import type { SavedFile } from '../sandbox-store.ts'
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
  // files that were holes or shared their bytes may not fit a second time: one that does not must not keep the rest away
  const attempt = async (path: string, put: () => Promise<unknown>) => {
    try {
      await put()
    } catch (error) {
      if (!(error instanceof CoherexError) || error.code === 'unavailable') throw error
      lost.push(path)
    }
  }
  const folders = saved.filter(({ hash, linkTarget }) => hash === null && linkTarget === null)
  // sorted by path, so that a folder comes before what is in it
  for (const { path } of folders) await attempt(path, () => inside.files.makeDirectory(path))
  const waiting = saved
    .filter(({ hash }) => hash !== null)
    // the small ones first: where not all fit, most come back
    .sort((a, b) => a.size - b.size)
    .values()
  const restoreRest = async () => {
    for (const { path, hash, isExecutable, modifiedAt } of waiting) {
      const body = hash === null ? undefined : await blobs.read(teamId, hash)
      const kept = { isExecutable, modifiedAt: modifiedAt.getTime() }
      if (body) await attempt(path, () => inside.files.write(path, body, kept))
      else lost.push(path)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, restoreRest))
  for (const { path, linkTarget, modifiedAt } of saved) {
    if (linkTarget !== null) await attempt(path, () => inside.files.link(path, linkTarget, modifiedAt.getTime()))
  }
  // last, and from the inside out: what is put into a folder changes its time
  const gone = new Set(lost)
  for (const { path, modifiedAt } of folders.toReversed()) {
    if (!gone.has(path)) await inside.files.setTime(path, modifiedAt.getTime())
  }

  const before = new Map(saved.map((file) => [file.path, file]))
  const known = new Map<string, KnownFile>()
  if (saved.length === 0) return { known, lost }
  for (const { path, stamp } of await inside.files.list('', { recursive: true })) {
    const file = before.get(path)
    if (file) known.set(path, { ...file, stamp })
  }
  return { known, lost }
}
