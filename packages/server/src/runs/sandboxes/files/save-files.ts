import { CoherexError, isPlainPath } from '@coherex/contract'
import { isDiskFull, type Blobs } from '../../../base/index.ts'
import type { Sandbox, SandboxFile } from '../../../runtimes/index.ts'
import type { SavedFile } from '../sandbox-store.ts'

/** A file as it was when it was saved: as long as its stamp is the same, so is its content. */
export interface KnownFile extends Omit<SavedFile, 'path'> {
  stamp: string
}

/** A file whose content was put into blobs before it was written. */
export type UploadedFile = Pick<KnownFile, 'stamp' | 'size' | 'hash'>

export interface Saving {
  written: SavedFile[]
  removed: string[]
  /** Files and odd names that are not kept; where there are more than can be listed, one for all of them. */
  leftOut: number
  /** What is known once this is stored. */
  known: Map<string, KnownFile>
}

/** Puts what changed since `known` into blobs, within `roomBytes`. What the guest takes away meanwhile is left out. */
export async function collectChanges({
  inside,
  known,
  uploaded,
  blobs,
  teamId,
  roomBytes,
}: {
  inside: Sandbox
  known: ReadonlyMap<string, KnownFile>
  /** Files whose content is in blobs already. */
  uploaded: ReadonlyMap<string, UploadedFile>
  blobs: Blobs
  teamId: string
  roomBytes: number
}): Promise<Saving> {
  const saving: Saving = { written: [], removed: [], leftOut: 0, known: new Map() }
  let left = roomBytes
  let isCut = false
  const files = await inside.files.list('', { recursive: true, onCut: () => (isCut = true) })
  for (const file of files) {
    const before = known.get(file.path)
    if (before?.stamp === file.stamp) {
      saving.known.set(file.path, before)
      continue
    }
    left += before?.size ?? 0
    const upload = uploaded.get(file.path)
    const kept = !canKeep(file, left)
      ? undefined
      : upload?.stamp === file.stamp && (await hasBytes(blobs, teamId, upload))
        ? { size: upload.size, hash: upload.hash }
        : await keep(file, { inside, blobs, teamId, limit: left })
    if (!kept) {
      saving.leftOut++
      continue
    }
    left -= kept.size
    const saved: Omit<SavedFile, 'path'> = {
      ...kept,
      modifiedAt: toDate(file.modifiedAt),
      isExecutable: file.isExecutable ?? false,
      linkTarget: file.linkTarget ?? null,
    }
    saving.known.set(file.path, { ...saved, stamp: file.stamp })
    if (before && isSame(before, saved)) continue
    saving.written.push({ path: file.path, ...saved })
  }
  const unseen = [...known].filter(([path]) => !saving.known.has(path))
  if (isCut) {
    // they may well be there: what was saved of them stays
    for (const [path, file] of unseen) saving.known.set(path, file)
    saving.leftOut++
  } else saving.removed = unseen.map(([path]) => path)
  // what came first may have been put too long ago
  for (const file of saving.written) {
    if (!(await hasBytes(blobs, teamId, file)))
      throw new CoherexError('unavailable', 'The files took too long to save: try again')
  }
  return saving
}

/** Asked for, bytes stay for long enough to store a row that names them. */
async function hasBytes(blobs: Blobs, teamId: string, { hash }: { hash: string | null }): Promise<boolean> {
  return hash === null || blobs.has(teamId, hash)
}

/** A link is kept as the words it consists of: nobody here follows it. One that points to odd names has none. */
function canKeep(file: SandboxFile, left: number): boolean {
  if (file.type === 'link' && (!file.linkTarget || !isStorable(file.linkTarget))) return false
  return file.size <= left && isPlainPath(file.path) && file.path.isWellFormed()
}

function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0')
}

function isSame(before: KnownFile, now: Omit<SavedFile, 'path'>): boolean {
  return (
    before.hash === now.hash &&
    before.isExecutable === now.isExecutable &&
    before.linkTarget === now.linkTarget &&
    before.modifiedAt.getTime() === now.modifiedAt.getTime()
  )
}

async function keep(
  file: SandboxFile,
  { inside, blobs, teamId, limit }: { inside: Sandbox; blobs: Blobs; teamId: string; limit: number },
): Promise<{ size: number; hash: string | null } | undefined> {
  if (file.type !== 'file') return { size: 0, hash: null }
  try {
    const counted = new CountedBytes(await inside.files.read(file.path), limit)
    return { hash: await blobs.put(teamId, counted), size: counted.size }
  } catch (error) {
    // the guest took it away, or it grew past the limit while it was read
    if (isDiskFull(error)) throw error
    return undefined
  }
}

/** Bytes that pass, counted, and stopped at a limit. */
export class CountedBytes implements AsyncIterable<Uint8Array> {
  size = 0
  readonly #chunks: AsyncIterable<Uint8Array>
  readonly #limit: number

  constructor(chunks: AsyncIterable<Uint8Array>, limit: number) {
    this.#chunks = chunks
    this.#limit = limit
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    for await (const chunk of this.#chunks) {
      this.size += chunk.length
      if (this.size > this.#limit) throw new LimitReached()
      yield chunk
    }
  }
}

export class LimitReached extends Error {}

/** By the guest's clock, which may say anything. */
export function toDate(ms: number): Date {
  return new Date(Number.isFinite(ms) ? Math.min(Math.max(0, ms), 4_102_444_800_000) : 0)
}
