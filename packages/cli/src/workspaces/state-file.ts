import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CoherexError } from '@coherex/contract'

/** A file as both sides had it when they last agreed. */
export interface AgreedFile {
  /** SHA-256 of its bytes. */
  hash: string
  /** The workspace's version then, for merging. */
  version: number
}

/** What a folder remembers of its workspace. */
export interface FolderState {
  url: string
  workspaceId: string
  files: Record<string, AgreedFile>
  /** Hashes of what is being sent: when that is there later, it came from here. */
  sent: Record<string, string>
}

export const stateFolder = '.coherex'
const fileOf = (folder: string) => join(folder, stateFolder, 'workspace.json')

export function createState(url: string, workspaceId: string): FolderState {
  return { url, workspaceId, files: toRecord({}), sent: toRecord({}) }
}

export async function readState(folder: string): Promise<FolderState | undefined> {
  const text = await readFile(fileOf(folder), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw error
  })
  if (text === undefined) return undefined
  try {
    const { url, workspaceId, files, sent } = JSON.parse(text) as Partial<FolderState>
    if (typeof url === 'string' && typeof workspaceId === 'string' && typeof files === 'object') {
      return { url, workspaceId, files: toRecord(files), sent: toRecord(sent ?? {}) }
    }
  } catch {
    // said below
  }
  // to guess here would be to delete on doubt
  throw new CoherexError('invalid_input', `Cannot read ${fileOf(folder)}: move it away and pull into a new folder`)
}

/** A writer that leaves the file alone while nothing is new. */
export function createStateWriter(folder: string, state: FolderState): () => Promise<void> {
  let written: string | undefined
  return async () => {
    const text = `${JSON.stringify(state, undefined, 2)}\n`
    if (text === written) return
    const file = fileOf(folder)
    await mkdir(join(folder, stateFolder), { recursive: true })
    await writeFile(`${file}.new`, text)
    await rename(`${file}.new`, file)
    written = text
  }
}

/** Files may be called `constructor` or `__proto__`. */
function toRecord<T>(entries: Record<string, T>): Record<string, T> {
  return Object.assign(Object.create(null) as Record<string, T>, entries)
}
