import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { OpenReaders } from './open-readers.ts'
import { syncDirectory } from './sync-directory.ts'

export interface BlobName {
  teamId: string
  hash: string
}

/** Bytes named by their SHA-256, apart for each team so that nobody learns what another team has. */
export interface Blobs {
  /** Keeps the bytes, given at once or as a stream, and answers their hash. */
  put(teamId: string, bytes: Uint8Array | AsyncIterable<Uint8Array>): Promise<string>
  /** The bytes as a stream, or undefined when they are not there. */
  read(teamId: string, hash: string): Promise<Readable | undefined>
  has(teamId: string, hash: string): Promise<boolean>
  /** Every blob of every team, for backups. */
  list(): AsyncIterable<BlobName & { size: number }>
  remove(teamId: string, hash: string): Promise<void>
  removeTeam(teamId: string): Promise<void>
}

const isTeam = (name: string) => /^[0-9a-z_]+$/.test(name)
const isHash = (name: string) => /^[0-9a-f]{64}$/.test(name)

export function createDiskBlobs(directory: string): Blobs {
  const pathOf = (teamId: string, hash: string) => {
    if (!isTeam(teamId) || !isHash(hash)) throw new Error('not a blob name')
    return join(directory, teamId, hash.slice(0, 2), hash)
  }
  const readers = new OpenReaders()
  return {
    async put(teamId, bytes) {
      if (!isTeam(teamId)) throw new Error('not a blob name')
      if (bytes instanceof Uint8Array) {
        const hash = createHash('sha256').update(bytes).digest('hex')
        if (await stat(pathOf(teamId, hash)).catch(() => undefined)) return hash
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
      const file = await open(pathOf(teamId, hash)).catch(() => undefined)
      // opened already: who reads it has it, whoever removes it meanwhile
      return file && readers.add(file.createReadStream())
    },
    async has(teamId, hash) {
      return (await stat(pathOf(teamId, hash)).catch(() => undefined)) !== undefined
    },
    async *list() {
      for (const teamId of (await names(directory)).filter(isTeam)) {
        for (const folder of await names(join(directory, teamId))) {
          if (folder.length !== 2) continue // a blob that is being written
          for (const hash of (await names(join(directory, teamId, folder))).filter(isHash)) {
            const stats = await stat(pathOf(teamId, hash)).catch(() => undefined)
            if (stats) yield { teamId, hash, size: stats.size }
          }
        }
      }
    },
    async remove(teamId, hash) {
      await rm(pathOf(teamId, hash), { force: true })
    },
    async removeTeam(teamId) {
      if (!isTeam(teamId)) throw new Error('not a blob name')
      await rm(join(directory, teamId), { recursive: true, force: true })
    },
  }
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
