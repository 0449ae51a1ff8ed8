import { readdir, rm, stat, utimes } from 'node:fs/promises'
import { join } from 'node:path'

const hourMs = 60 * 60_000
// what is fetched ahead is in no set at first
const unusedMs = 30 * 24 * hourMs
const builtMs = 7 * 24 * hourMs

/** Wheels as they were unpacked, each once. Sets have links to their files; one that no set has is removed a month after its last use. */
export class WheelStore {
  readonly directory: string
  #tidiedAt = 0

  constructor(directory: string) {
    this.directory = directory
  }

  /** The folder of that name, kept from being tidied from now on; undefined where there is none. */
  async find(name: string): Promise<string | undefined> {
    const folder = join(this.directory, name)
    const now = new Date()
    return utimes(folder, now, now).then(
      () => folder,
      () => undefined,
    )
  }

  /** Removes what no set uses any more and what a server that was killed left behind, once an hour at most. */
  async tidy(now = Date.now()): Promise<void> {
    if (now - this.#tidiedAt < hourMs) return
    this.#tidiedAt = now
    await this.#removeUnused(now, { unusedMs, builtMs })
  }

  /** Removes what no set uses now. A set that is being made has touched what it links within the hour. */
  async freeUnused(now = Date.now()): Promise<void> {
    await this.#removeUnused(now, { unusedMs: hourMs, builtMs: hourMs })
  }

  async #removeUnused(now: number, after: { unusedMs: number; builtMs: number }): Promise<void> {
    for (const name of await list(this.directory)) {
      const folder = join(this.directory, name)
      if (/^built(-|$)/.test(name)) await this.#removeOlder(folder, now - after.builtMs)
      else if (name.startsWith('.')) await removeIfOlder(folder, now - hourMs)
      else if (!(await isLinked(folder))) await removeIfOlder(folder, now - after.unusedMs)
    }
  }

  async #removeOlder(directory: string, time: number): Promise<void> {
    for (const name of await list(directory)) await removeIfOlder(join(directory, name), time)
  }
}

async function list(directory: string): Promise<string[]> {
  return readdir(directory).catch(() => [])
}

async function removeIfOlder(folder: string, time: number): Promise<void> {
  const own = await stat(folder).catch(() => undefined)
  if (own && own.mtimeMs < time) await rm(folder, { recursive: true, force: true })
}

/** Every wheel has metadata, which a set has a second name for. */
async function isLinked(folder: string): Promise<boolean> {
  const info = (await list(join(folder, 'site'))).find((name) => name.endsWith('.dist-info'))
  const metadata = info && (await stat(join(folder, 'site', info, 'METADATA')).catch(() => undefined))
  return metadata !== undefined && metadata !== '' && metadata.nlink > 1
}
