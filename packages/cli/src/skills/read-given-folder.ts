import { readFile, readdir, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { CoherexError, type GivenFile } from '@coherex/contract'
import { isSynced } from '../workspaces/scan-folder.ts'

interface FolderLimits {
  files: number
  bytes: number
}

/** The files of a folder that is a skill or a tool. Links are not followed, and what is no part of the work is left out. */
export async function readGivenFolder(folder: string, limits: FolderLimits): Promise<Record<string, GivenFile>> {
  const files: Record<string, GivenFile> = {}
  let left = limits.bytes
  await read(folder)
  return files

  async function read(at: string): Promise<void> {
    const entries = await readdir(at, { withFileTypes: true }).catch((cause: NodeJS.ErrnoException) => {
      const why = cause.code === 'ENOENT' ? 'there is no such folder' : (cause.code ?? 'it cannot be read')
      throw new CoherexError('invalid_input', `Cannot read ${folder}: ${why}`, { cause })
    })
    for (const entry of entries) {
      const full = join(at, entry.name)
      const path = relative(folder, full).split(sep).join('/')
      if (!isSynced(path) || entry.name === '.DS_Store') continue
      if (entry.isDirectory()) await read(full)
      else if (entry.isFile()) {
        left -= (await stat(full)).size
        // the server would say so too, after all of it was read and sent
        if (left < 0 || Object.keys(files).length >= limits.files) throw tooLarge(folder, limits)
        files[path] = toGivenFile(await readFile(full))
      }
    }
  }
}

function toGivenFile(bytes: Buffer): GivenFile {
  try {
    if (!bytes.includes(0)) return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    // not text
  }
  return { base64: bytes.toString('base64') }
}

function tooLarge(folder: string, { files, bytes }: FolderLimits): CoherexError {
  return new CoherexError(
    'too_large',
    `${folder} is too large: it may have at most ${files} files and ${bytes / 1e6} MB`,
  )
}
