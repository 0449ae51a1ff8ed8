import { createWriteStream, constants } from 'node:fs'
import { mkdir, readdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { CoherexError, isPlainPath } from '@coherex/contract'
import { printable } from '../terminal.ts'

/** Where files go whose names and contents a guest chose. */
export interface Folder {
  path: string
  /** Writes a file below the folder and gives its path. */
  save(name: string, content: AsyncIterable<Uint8Array> | string | Uint8Array): Promise<string>
}

/**
 * A folder that is new or empty. A guest that may add to any other, such as a repository with its `.git/hooks`, could run code
 * outside its sandbox, so that takes `force`.
 */
export async function openFolder(
  directory: string,
  path: string,
  { force = false }: { force?: boolean | undefined },
): Promise<Folder> {
  const full = resolve(directory, path)
  const there = await readdir(full).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw new CoherexError('invalid_input', `Cannot write to ${path}: ${error.message}`, { cause: error })
  })
  if (there.length > 0 && !force) {
    throw new CoherexError(
      'invalid_input',
      `${path} is not empty; choose a new folder, or add --force to write into it`,
    )
  }
  await mkdir(full, { recursive: true })
  return { path, save: async (name, content) => saveFile({ full, path, force }, name, content) }
}

async function saveFile(
  { full, path, force }: { full: string; path: string; force: boolean },
  name: string,
  content: AsyncIterable<Uint8Array> | string | Uint8Array,
): Promise<string> {
  if (!isPlainPath(name)) {
    throw new CoherexError('invalid_input', `Cannot write "${printable(name)}": its path could lead out of the folder`)
  }
  const target = join(full, name)
  await mkdir(dirname(target), { recursive: true })
  // never through a link
  const flags =
    constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW | (force ? constants.O_TRUNC : constants.O_EXCL)
  const chunks = typeof content === 'string' || content instanceof Uint8Array ? [content] : content
  // flags as a number are what fs takes, though its types only know the words
  const file = createWriteStream(target, { flags: flags as unknown as string })
  await pipeline(Readable.from(chunks), file).catch((error: NodeJS.ErrnoException) => {
    throw new CoherexError('conflict', `Cannot write ${join(path, printable(name))}: ${error.message}`, {
      cause: error,
    })
  })
  return join(path, name)
}
