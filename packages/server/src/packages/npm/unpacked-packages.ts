import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'

const graceMs = 60 * 60_000

/** Packages as they were unpacked, each once. Sets have links to their files; one that no set has is removed after an hour. */
export class UnpackedPackages {
  readonly directory: string
  readonly #making = new Map<string, Promise<string>>()
  #tidiedAt = 0

  constructor(directory: string) {
    this.directory = directory
  }

  /** The folder of the package with this integrity, filled by the first who asks. */
  async ensure(integrity: string, fill: (directory: string, archive: string) => Promise<void>): Promise<string> {
    const name = createHash('sha256').update(integrity).digest('hex')
    const folder = join(this.directory, name)
    const now = new Date()
    const isThere = await utimes(folder, now, now).then(
      () => true,
      () => false,
    )
    if (isThere) return folder
    const underWay = this.#making.get(name)
    if (underWay) return underWay.catch(() => this.ensure(integrity, fill))
    const making = this.#make(folder, fill).finally(() => this.#making.delete(name))
    this.#making.set(name, making)
    return making
  }

  /** Removes what no set uses any more, once an hour at most. */
  async tidy(): Promise<void> {
    const now = Date.now()
    if (now - this.#tidiedAt < graceMs) return
    this.#tidiedAt = now
    await this.freeUnused(now)
  }

  /** Removes what no set uses. */
  async freeUnused(now = Date.now()): Promise<void> {
    for (const name of await readdir(this.directory).catch(() => [])) {
      const folder = join(this.directory, name)
      const [own, description] = await Promise.all([stat(folder), stat(join(folder, 'package.json'))]).catch(() => [])
      const isUsed = description !== undefined && description.nlink > 1
      if (own && !isUsed && now - own.mtimeMs > graceMs) await rm(folder, { recursive: true, force: true })
    }
  }

  async #make(folder: string, fill: (directory: string, archive: string) => Promise<void>): Promise<string> {
    const making = join(this.directory, `making-${randomUUID()}`)
    const archive = `${making}.archive`
    try {
      await mkdir(making, { mode: 0o755 })
      await fill(making, archive)
      await rename(making, folder)
    } finally {
      await Promise.all([making, archive].map((path) => rm(path, { recursive: true, force: true })))
    }
    return folder
  }
}
