import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { isPlainPath } from '@coherex/contract'
import { stateFolder } from './state-file.ts'

/** Folders that are no part of the work, or whose contents run by themselves. They go neither way. */
const keptApart = new Set([stateFolder, '.git', '.hg', '.svn', 'node_modules', '__pycache__', '.venv'])
const conflictCopy = /\.conflict-\d+(\.[^./]+)?$/

export function isSynced(path: string): boolean {
  return isPlainPath(path) && !conflictCopy.test(path) && !path.split('/').some((part) => keptApart.has(part))
}

/** Where this machine's text goes when both sides changed the same lines; never synced itself. */
export function conflictPath(path: string, version: number): string {
  const [, stem = path, ending = ''] = /^(.*?[^/])(\.[^./]+)?$/s.exec(path) ?? []
  return `${stem}.conflict-${version}${ending}`
}

/** Every file below a folder with the hash of its bytes. Links are not followed: what they lead to was not asked for. */
export async function scanFolder(folder: string): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  await scan(folder)
  return found

  async function scan(at: string): Promise<void> {
    for (const entry of await readdir(at, { withFileTypes: true })) {
      const full = join(at, entry.name)
      const path = relative(folder, full).split(sep).join('/')
      if (!isSynced(path)) continue
      if (entry.isDirectory()) await scan(full)
      else if (entry.isFile()) {
        const hash = await hashFile(full)
        if (hash) found.set(path, hash)
      }
    }
  }
}

/** Undefined when it is not there. */
export async function hashFile(file: string): Promise<string | undefined> {
  const hash = createHash('sha256')
  try {
    await pipeline(createReadStream(file), hash)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  return hash.digest('hex')
}
