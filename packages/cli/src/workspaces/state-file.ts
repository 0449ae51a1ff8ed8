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
}

export const stateFolder = '.coherex'
const fileOf = (folder: string) => join(folder, stateFolder, 'workspace.json')

export async function readState(folder: string): Promise<FolderState | undefined> {
  const text = await readFile(fileOf(folder), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined
    throw error
  })
  if (text === undefined) return undefined
  try {
    const { url, workspaceId, files } = JSON.parse(text) as Partial<FolderState>
    if (typeof url === 'string' && typeof workspaceId === 'string' && typeof files === 'object') {
      return { url, workspaceId, files }
    }
  } catch {
    // said below
  }
  // to guess here would be to delete on doubt
  throw new CoherexError('invalid_input', `Cannot read ${fileOf(folder)}: move it away and pull into a new folder`)
}

export async function writeState(folder: string, state: FolderState): Promise<void> {
  const file = fileOf(folder)
  await mkdir(join(folder, stateFolder), { recursive: true })
  await writeFile(`${file}.new`, `${JSON.stringify(state, undefined, 2)}\n`)
  await rename(`${file}.new`, file)
}
