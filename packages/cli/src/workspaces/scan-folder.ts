import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { isPlainPath } from '@coherex/contract'
import { stateFolder } from './state-file.ts'

/** Folders that are no part of the work, or whose contents run by themselves. They go neither way. */
const keptApart = new Set([stateFolder, '.git', 'git~1', '.hg', '.svn', 'node_modules', '__pycache__', '.venv'])
/** What file systems of Macs leave out of names when they compare them. */
const ignorable = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/gu
const conflictCopy = /\.conflict-\d+(\.[^./]+)?$/

/** Whether a path goes to the other side; one that could end in a folder kept apart on some machine does not. */
export function isSynced(path: string): boolean {
  return isPlainPath(path) && !isLeftOut(path)
}

function isLeftOut(path: string): boolean {
  const isApart = (part: string) =>
    keptApart.has(
      part
        .replace(ignorable, '')
        .replace(/[. ]+$/, '')
        .toLowerCase(),
    )
  return conflictCopy.test(path) || path.split('/').some(isApart)
}

/** Where this machine's text goes when both sides changed the same lines; never synced itself. */
export function conflictPath(path: string, version: number): string {
  const [, stem = path, ending = ''] = /^(.*?[^/])(\.[^./]+)?$/s.exec(path) ?? []
  return `${stem}.conflict-${version}${ending}`
}

export interface ScannedFolder {
  /** Every file with the hash of its bytes. */
  files: Map<string, string>
  /** Paths that a workspace cannot have. */
  unnameable: string[]
}

/** Every file below a folder. Links are not followed: what they lead to was not asked for. */
export async function scanFolder(folder: string): Promise<ScannedFolder> {
  const files = new Map<string, string>()
  const unnameable: string[] = []
  await scan(folder)
  return { files, unnameable }

  async function scan(at: string): Promise<void> {
    for (const entry of await readdir(at, { withFileTypes: true })) {
      const full = join(at, entry.name)
      const path = relative(folder, full).split(sep).join('/')
      if (isLeftOut(path) || !(entry.isDirectory() || entry.isFile())) continue
      if (!isPlainPath(path)) unnameable.push(path)
      else if (entry.isDirectory()) await scan(full)
      else {
        const hash = await hashFile(full)
        if (hash) files.set(path, hash)
      }
    }
  }
}

const notThere = new Set(['ENOENT', 'ENOTDIR', 'EISDIR'])

/** Undefined when there is no such file, or a folder in its place. */
export async function hashFile(file: string): Promise<string | undefined> {
  const hash = createHash('sha256')
  try {
    await pipeline(createReadStream(file), hash)
  } catch (error) {
    if (notThere.has((error as NodeJS.ErrnoException).code ?? '')) return undefined
    throw error
  }
  return hash.digest('hex')
}
