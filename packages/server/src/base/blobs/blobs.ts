import { createHash, randomUUID } from 'node:crypto'
import { access, mkdir, open, readdir, rename, rm, stat, unlink, utimes } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { syncDirectory } from '../sync-directory.ts'
import { OpenReaders } from './open-readers.ts'

export interface BlobName {
  teamId: string
  hash: string
}

export interface ListedBlob extends BlobName {
  size: number
  /** When its bytes were last put or asked for, by the clock of whoever did (ms). */
  usedAt: number
}

/** Tells that rows which named these bytes are gone: they are removed later, unless a row names them by then. */
export type ReleaseBlobs = (teamId: string, hashes: string[]) => void

/**
 * Bytes named by their SHA-256, apart for each team so that nobody learns what another team has. Whoever puts bytes, or asks
 * whether they are there, has the grace time to store a row that names them: no removal takes them meanwhile.
 */
export interface Blobs {
  /** Keeps the bytes, given at once or as a stream, and answers their hash. */
  put(teamId: string, bytes: Uint8Array | AsyncIterable<Uint8Array>): Promise<string>
  /** The bytes as a stream, or undefined when they are not there. */
  read(teamId: string, hash: string): Promise<Readable | undefined>
  has(teamId: string, hash: string): Promise<boolean>
  /** How many bytes; none that are not there. Asking for it keeps nothing. */
  size(teamId: string, hash: string): Promise<number>
  /** Every blob of every team, or those in one of a team's folders. */
  list(part?: BlobFolder): AsyncIterable<ListedBlob>
  /** Removes bytes that nobody put or asked for within the grace time. */
  remove(teamId: string, hash: string): Promise<void>
  /** Puts right what a killed server left in a folder: bytes it was about to remove are back, half-written ones are gone. */
  tidy(part: BlobFolder): Promise<void>
  removeTeam(teamId: string): Promise<void>
}

/** A team's blobs whose hashes begin with the same two digits. */
export interface BlobFolder {
  teamId: string
  folder: string
}

export const blobFolders = Array.from({ length: 256 }, (_, at) => at.toString(16).padStart(2, '0'))

/** Longer than a version of a workspace stays open (typing.ts), which may bring a blob back, and than any transaction. */
export const blobGraceMs = 10 * 60_000
// a stream may be slow, but not for that long
const halfWrittenMs = 24 * 60 * 60_000

export const isBlobTeam = (name: string) => /^[0-9a-z_]+$/.test(name)
export const isBlobHash = (name: string) => /^[0-9a-f]{64}$/.test(name)

export function createDiskBlobs(
  directory: string,
  { graceMs = blobGraceMs }: { /** None: `remove` takes all at once. */ graceMs?: number } = {},
): Blobs {
  const pathOf = (teamId: string, hash: string) => {
    if (!isBlobTeam(teamId) || !isBlobHash(hash)) throw new Error('not a blob name')
    return join(directory, teamId, hash.slice(0, 2), hash)
  }
  const isYoung = async (path: string) => graceMs > 0 && Date.now() - (await stat(path)).mtimeMs < graceMs
  const readers = new OpenReaders()
  return {
    async put(teamId, bytes) {
      if (!isBlobTeam(teamId)) throw new Error('not a blob name')
      if (bytes instanceof Uint8Array) {
        const hash = createHash('sha256').update(bytes).digest('hex')
        if (await setUsed(pathOf(teamId, hash))) return hash
      }
      await mkdir(join(directory, teamId), { recursive: true, mode: 0o700 })
      // written beside and renamed, so that a blob is whole or absent
      const beside = join(directory, teamId, `${randomUUID()}.part`)
      try {
        const hash = await writeBlob(beside, bytes instanceof Uint8Array ? [bytes] : bytes)
        const path = pathOf(teamId, hash)
        await mkdir(dirname(path), { recursive: true, mode: 0o700 })
        await rename(beside, path)
        await syncDirectory(dirname(path))
        return hash
      } catch (error) {
        await rm(beside, { force: true })
        throw error
      }
    },
    async read(teamId, hash) {
      const path = pathOf(teamId, hash)
      const file = await open(path).catch(async () => (await findAside(path)) && open(path).catch(() => undefined))
      // opened already: who reads it has it, whoever removes it meanwhile
      return file ? readers.add(file.createReadStream()) : undefined
    },
    async has(teamId, hash) {
      const path = pathOf(teamId, hash)
      return (await setUsed(path)) || findAside(path)
    },
    async size(teamId, hash) {
      return (await stat(pathOf(teamId, hash)).catch(() => undefined))?.size ?? 0
    },
    async *list(part) {
      for (const teamId of part ? [part.teamId] : (await names(directory)).filter(isBlobTeam)) {
        for (const folder of part ? [part.folder] : await names(join(directory, teamId))) {
          if (folder.length !== 2) continue // a blob that is being written
          for (const hash of (await names(join(directory, teamId, folder))).filter(isBlobHash)) {
            const stats = await stat(pathOf(teamId, hash)).catch(() => undefined)
            if (stats) yield { teamId, hash, size: stats.size, usedAt: stats.mtimeMs }
          }
        }
      }
    },
    async remove(teamId, hash) {
      const path = pathOf(teamId, hash)
      // a name of its own: two that remove the same bytes must not take away what the other looks at
      const aside = `${path}.${randomUUID()}${asideEnd}`
      try {
        if (await isYoung(path)) return
        // whoever comes from here on does not find them, and puts or brings them back
        await rename(path, aside)
        if (await isYoung(aside)) await bringBack(aside, path)
        else await unlink(aside)
      } catch (error) {
        if (!isMissing(error)) throw error // gone already, or brought back by whoever needs them
      }
    },
    async tidy({ teamId, folder }) {
      const place = join(directory, teamId, folder)
      for (const name of await names(place)) {
        if (isBlobHash(name.slice(0, 64)) && name.endsWith(asideEnd))
          await bringBack(join(place, name), join(place, name.slice(0, 64)))
      }
      for (const name of (await names(join(directory, teamId))).filter((one) => one.endsWith('.part'))) {
        const part = join(directory, teamId, name)
        const stats = await stat(part).catch(() => undefined)
        if (stats && Date.now() - stats.mtimeMs > halfWrittenMs) await rm(part, { force: true })
      }
    },
    async removeTeam(teamId) {
      if (!isBlobTeam(teamId)) throw new Error('not a blob name')
      await rm(join(directory, teamId), { recursive: true, force: true })
    },
  }
}

const asideEnd = '.aside'

/** Marks bytes as used now; false when they are not there. */
async function setUsed(path: string): Promise<boolean> {
  const now = new Date()
  // looked at again: they may have been taken aside and removed while the time was being set
  return ifThere(utimes(path, now, now).then(() => access(path)))
}

/** Brings bytes back that are being removed, or were when a server was killed; false when there are none. */
async function findAside(path: string): Promise<boolean> {
  for (const name of await names(dirname(path))) {
    if (!name.startsWith(`${basename(path)}.`)) continue
    if (await bringBack(join(dirname(path), name), path)) return true
  }
  // whoever was removing them may have brought them back
  return setUsed(path)
}

/** As used now: they may take the place of the same bytes that somebody has just put. */
async function bringBack(aside: string, path: string): Promise<boolean> {
  return (await setUsed(aside)) && ifThere(rename(aside, path))
}

async function ifThere(work: Promise<void>): Promise<boolean> {
  try {
    await work
    return true
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT'
}

async function writeBlob(path: string, chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256')
  const file = await open(path, 'wx', 0o600)
  try {
    for await (const chunk of chunks) {
      hash.update(chunk)
      await file.writeFile(chunk)
    }
    await file.sync()
  } finally {
    await file.close()
  }
  return hash.digest('hex')
}

/** Sorted, so that two backups of the same data are alike. */
async function names(directory: string): Promise<string[]> {
  return (await readdir(directory).catch(() => [])).sort()
}
