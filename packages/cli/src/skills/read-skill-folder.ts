import { readFile, readdir, stat } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { CoherexError, skillLimits, type GivenFile, type SkillFiles } from '@coherex/contract'
import { isSynced } from '../workspaces/scan-folder.ts'

/** The files of a skill's folder. Links are not followed, and what is no part of the work is left out. */
export async function readSkillFolder(folder: string): Promise<SkillFiles> {
  const files: SkillFiles = {}
  let left: number = skillLimits.bytes
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
        if (left < 0 || Object.keys(files).length >= skillLimits.files) throw tooLarge(folder)
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

function tooLarge(folder: string): CoherexError {
  const { files, bytes } = skillLimits
  return new CoherexError('too_large', `${folder} is no skill: one has at most ${files} files and ${bytes / 1e6} MB`)
}
