import { randomUUID } from 'node:crypto'
import { chmod, lstat, mkdir, opendir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { packageLanguage } from '@coherex/contract'
import { z } from 'zod'
import type { PackageSet } from '../runtimes/index.ts'

const description = z.object({
  hash: z.string(),
  language: packageLanguage,
  modules: z.array(z.string()),
  bytes: z.number(),
  /** The team whose own registry it came from, and whose storage it takes. */
  owner: z.string().optional(),
})

/** A set as it lies on disk. */
export interface KeptSet extends PackageSet {
  bytes: number
}

export interface UsedSet {
  folder: string
  hash: string
  bytes: number
  owner: string | undefined
  usedAt: number
}

const describedIn = 'set.json'
const touchEveryMs = 10 * 60_000

/** Folders of package sets. One appears whole or not at all, and is never changed. */
export class SetStore {
  /** What sandboxes are shown. Its listing is closed to them: who knows a folder's name may use it. */
  readonly directory: string
  readonly #making: string
  readonly #known = new Map<string, { set: KeptSet; touchedAt: number }>()
  readonly #owned = new Map<string, { owner: string; bytes: number }>()

  constructor(directory: string) {
    this.directory = join(directory, 'sets')
    this.#making = join(directory, 'making')
  }

  async open(): Promise<void> {
    await mkdir(this.directory, { recursive: true })
    await chmod(this.directory, 0o711)
    // what a server that was killed had begun
    await rm(this.#making, { recursive: true, force: true })
    await mkdir(this.#making, { recursive: true, mode: 0o700 })
    for (const { folder, owner, bytes } of await this.list()) {
      if (owner !== undefined) this.#owned.set(folder, { owner, bytes })
    }
  }

  /** The set, where it is there; it counts as used now. */
  async find(folder: string): Promise<KeptSet | undefined> {
    const known = this.#known.get(folder)
    const file = join(this.directory, folder, describedIn)
    if (known) {
      if (Date.now() - known.touchedAt < touchEveryMs) {
        // an operator may have emptied the folder
        if (await stat(file).catch(() => undefined)) return known.set
        this.#known.delete(folder)
        return undefined
      }
    }
    const text = await readFile(file, 'utf8').catch(() => undefined)
    const read = text === undefined ? undefined : description.safeParse(parseJson(text)).data
    if (!read) {
      this.#known.delete(folder)
      return undefined
    }
    const now = new Date()
    await utimes(file, now, now)
    const set = { ...read, folder }
    this.#known.set(folder, { set, touchedAt: now.getTime() })
    return set
  }

  /** What sets of a team's own registries take. */
  bytesOf(teamId: string): number {
    return [...this.#owned.values()].reduce((sum, { owner, bytes }) => sum + (owner === teamId ? bytes : 0), 0)
  }

  /** Makes a set by filling an empty directory, beside the others until it is whole. */
  async add(
    { folder, hash, language, owner }: Omit<PackageSet, 'modules'> & { owner?: string | undefined },
    fill: (directory: string) => Promise<{ modules: string[] }>,
  ): Promise<KeptSet> {
    const making = join(this.#making, randomUUID())
    await mkdir(making, { mode: 0o755 })
    try {
      const { modules } = await fill(making)
      const bytes = await measure(making)
      const text = JSON.stringify({ hash, language, modules, bytes, ...(owner !== undefined && { owner }) })
      await writeFile(join(making, describedIn), text, { mode: 0o644 })
      await chmod(making, 0o755)
      await rename(making, join(this.directory, folder)).catch(async (error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
        // another one was quicker with the same, or what is there is no set
        if (await this.find(folder)) return
        await this.remove(folder)
        await rename(making, join(this.directory, folder))
      })
    } finally {
      await rm(making, { recursive: true, force: true })
    }
    const set = await this.find(folder)
    if (set && owner !== undefined) this.#owned.set(folder, { owner, bytes: set.bytes })
    if (!set) throw new Error(`the set ${folder} was not kept`)
    return set
  }

  /** Bytes on disk; null where the set is not there. Nobody uses it by this. */
  async sizeOf(folder: string): Promise<number | null> {
    const text = await readFile(join(this.directory, folder, describedIn), 'utf8').catch(() => '')
    return description.safeParse(parseJson(text)).data?.bytes ?? null
  }

  async list(): Promise<UsedSet[]> {
    const found = await Promise.all(
      (await readdir(this.directory)).map(async (folder) => {
        const file = join(this.directory, folder, describedIn)
        const [text, stats] = await Promise.all([readFile(file, 'utf8'), stat(file)]).catch(() => [])
        const read = text === undefined ? undefined : description.safeParse(parseJson(text)).data
        if (!read || !stats) return []
        return [{ folder, hash: read.hash, bytes: read.bytes, owner: read.owner, usedAt: stats.mtimeMs }]
      }),
    )
    return found.flatMap((one) => one ?? [])
  }

  async remove(folder: string): Promise<void> {
    this.#known.delete(folder)
    this.#owned.delete(folder)
    // gone at once for whoever comes, however long its files take
    const going = join(this.#making, randomUUID())
    await rename(join(this.directory, folder), going).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error
    })
    await rm(going, { recursive: true, force: true })
  }
}

async function measure(directory: string): Promise<number> {
  let bytes = 0
  for await (const entry of await opendir(directory, { recursive: true })) {
    if (entry.isFile()) bytes += (await lstat(join(entry.parentPath, entry.name))).size
  }
  return bytes
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
