import type { Readable } from 'node:stream'
import { CoherexError, type SandboxFile } from '@coherex/contract'
import type { Blobs, ReleaseBlobs } from '../../../base/index.ts'
import type { FileChange, SandboxFile as InsideFile } from '../../../runtimes/index.ts'
import type { Allowances } from '../../allowances.ts'
import type { SavedFile } from '../sandbox-store.ts'
import type { Sandboxes } from '../sandboxes.ts'
import { CountedBytes, LimitReached, toDate } from './save-files.ts'

export interface SandboxFilesDeps {
  sandboxes: Sandboxes
  blobs: Blobs
  releaseBlobs: ReleaseBlobs
  allowances: Allowances
}

export interface ReadFile {
  size: number
  body: Readable
}

/** Files of a sandbox: inside it while it is awake, what was saved of them while it sleeps. What changes them wakes it. */
export function createSandboxFiles({ sandboxes, blobs, releaseBlobs, allowances }: SandboxFilesDeps) {
  return {
    async list(
      teamId: string,
      id: string,
      path: string,
      { recursive }: { recursive: boolean },
    ): Promise<SandboxFile[]> {
      await sandboxes.findUsable(teamId, id)
      const awake = sandboxes.awake(teamId, id)
      if (awake) {
        awake.touch()
        if (path !== '') requireType(await awake.inside.files.stat(path), path, 'directory')
        const files = await awake.inside.files.list(path, { recursive })
        return files.map(toFile).sort((a, b) => (a.path < b.path ? -1 : 1))
      }
      return listSaved(await sandboxes.saved(teamId, id), path, recursive)
    },

    async read(teamId: string, id: string, path: string): Promise<ReadFile> {
      await sandboxes.findUsable(teamId, id)
      const awake = sandboxes.awake(teamId, id)
      if (awake) {
        awake.touch()
        const { size } = requireType(await awake.inside.files.stat(path), path, 'file')
        return { size, body: await awake.inside.files.read(path) }
      }
      const saved = (await sandboxes.saved(teamId, id)).find((file) => file.path === path)
      const body = saved?.hash ? await blobs.read(teamId, saved.hash) : undefined
      if (!saved || !body) throw noSuchFile(path)
      return { size: saved.size, body }
    },

    /** Written where it is safe first, so that an upload that was answered is never lost, and then into the sandbox. */
    async write(teamId: string, id: string, path: string, chunks: AsyncIterable<Uint8Array>): Promise<SandboxFile> {
      return sandboxes.use(teamId, id, async (open) => {
        const { quotas, storedMb } = await allowances.of(teamId)
        const diskBytes = open.row.limits.diskMb * 1024 * 1024
        const storageBytes = Math.max(0, (quotas.storageMb - storedMb) * 1024 * 1024)
        const counted = new CountedBytes(chunks, Math.min(diskBytes, storageBytes))
        const hash = await blobs.put(teamId, counted).catch((error: unknown) => {
          if (!(error instanceof LimitReached)) throw error
          if (storageBytes < diskBytes) {
            throw new CoherexError('quota_exceeded', `The team's storage of ${quotas.storageMb} MB is full`)
          }
          throw new CoherexError(
            'too_large',
            `The file is larger than the sandbox's disk of ${open.row.limits.diskMb} MB`,
          )
        })
        // where the sandbox does not take the file they are to go: looked at later, they stay if a row names them
        releaseBlobs(teamId, [hash])
        const body = await blobs.read(teamId, hash)
        if (!body) throw new Error('a blob that was just written is not there')
        const file = await open.inside.files.write(path, body)
        open.uploaded.set(path, { stamp: file.stamp, size: file.size, hash })
        await sandboxes.save(open)
        return toFile(file)
      })
    },

    async remove(teamId: string, id: string, path: string): Promise<void> {
      await sandboxes.use(teamId, id, async (open) => {
        if (!(await open.inside.files.stat(path))) throw noSuchFile(path)
        await open.inside.files.remove(path)
        await sandboxes.save(open)
      })
    },

    async makeFolder(teamId: string, id: string, path: string): Promise<SandboxFile> {
      return sandboxes.use(teamId, id, async (open) => {
        await open.inside.files.makeDirectory(path)
        await sandboxes.save(open)
        return toFile(requireType(await open.inside.files.stat(path), path, 'directory'))
      })
    },

    async move(teamId: string, id: string, { from, to }: { from: string; to: string }): Promise<SandboxFile> {
      return sandboxes.use(teamId, id, async (open) => {
        if (!(await open.inside.files.stat(from))) throw noSuchFile(from)
        await open.inside.files.move(from, to)
        await sandboxes.save(open)
        const moved = await open.inside.files.stat(to)
        if (!moved) throw noSuchFile(to)
        return toFile(moved)
      })
    },

    /** Tells changes below a folder until the signal aborts or the sandbox ends. */
    async watch(
      { teamId, id, path, signal }: { teamId: string; id: string; path: string; signal: AbortSignal },
      { onWatching, onChange }: { onWatching(): void; onChange(change: FileChange): void },
    ): Promise<void> {
      const { inside, stop } = await sandboxes.use(teamId, id, async (open) => ({
        inside: open.inside,
        stop: await open.inside.files.watch(path, onChange),
      }))
      onWatching()
      const gone = Promise.withResolvers<void>()
      signal.addEventListener('abort', () => gone.resolve(), { once: true })
      if (signal.aborted) gone.resolve()
      await Promise.race([gone.promise, inside.ended])
      stop()
    },
  }
}

export type SandboxFileVerbs = ReturnType<typeof createSandboxFiles>

/** What was saved, as a folder of it would be listed. */
function listSaved(saved: SavedFile[], path: string, recursive: boolean): SandboxFile[] {
  const below = path === '' ? '' : `${path}/`
  if (path !== '' && !saved.some((file) => file.path === path || file.path.startsWith(below))) throw noSuchFile(path)
  return saved
    .filter((file) => file.path.startsWith(below) && file.path !== path)
    .filter((file) => recursive || !file.path.slice(below.length).includes('/'))
    .map(({ path: name, size, hash, modifiedAt, linkTarget }) => ({
      path: name,
      type: linkTarget !== null ? 'link' : hash === null ? 'directory' : 'file',
      size,
      modifiedAt: modifiedAt.toISOString(),
      ...(linkTarget === null ? {} : { linkTarget }),
    }))
}

function toFile({ path, type, size, modifiedAt, linkTarget }: InsideFile): SandboxFile {
  const time = toDate(modifiedAt).toISOString()
  return { path, type, size, modifiedAt: time, ...(linkTarget === undefined ? {} : { linkTarget }) }
}

function requireType(file: InsideFile | undefined, path: string, type: InsideFile['type']): InsideFile {
  if (!file) throw noSuchFile(path)
  if (file.type !== type) throw new CoherexError('conflict', `"${path}" is a ${file.type} and no ${type}`)
  return file
}

function noSuchFile(path: string): CoherexError {
  return new CoherexError('not_found', `There is no file "${path}" in the sandbox`)
}
