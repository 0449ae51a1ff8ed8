import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'

/** Bytes named by their SHA-256, apart for each team so that nobody learns what another team has. */
export interface Blobs {
  put(teamId: string, bytes: Uint8Array): Promise<string>
  /** The bytes as a stream, or undefined when they are not there. */
  read(teamId: string, hash: string): Promise<Readable | undefined>
  removeTeam(teamId: string): Promise<void>
}

export function createDiskBlobs(directory: string): Blobs {
  const pathOf = (teamId: string, hash: string) => {
    if (!/^[0-9a-z_]+$/.test(teamId) || !/^[0-9a-f]{64}$/.test(hash)) throw new Error('not a blob name')
    return join(directory, teamId, hash.slice(0, 2), hash)
  }
  return {
    async put(teamId, bytes) {
      const hash = createHash('sha256').update(bytes).digest('hex')
      const path = pathOf(teamId, hash)
      if (await stat(path).catch(() => undefined)) return hash
      await mkdir(join(path, '..'), { recursive: true, mode: 0o700 })
      // written beside and renamed, so that a blob is whole or absent
      const next = `${path}.${randomUUID()}`
      const file = await open(next, 'wx', 0o600)
      try {
        await file.writeFile(bytes)
        await file.sync()
      } finally {
        await file.close()
      }
      await rename(next, path)
      return hash
    },
    async read(teamId, hash) {
      const path = pathOf(teamId, hash)
      return (await stat(path).catch(() => undefined)) ? createReadStream(path) : undefined
    },
    async removeTeam(teamId) {
      await rm(join(directory, teamId), { recursive: true, force: true })
    },
  }
}
