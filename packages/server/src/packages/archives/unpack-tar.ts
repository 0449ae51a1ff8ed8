import { closeSync, createReadStream, mkdirSync, openSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createGunzip } from 'node:zlib'
import { ArchiveGuard, ArchiveRefused, type ArchiveLimits } from './archive-guard.ts'
import { readTar } from './read-tar.ts'

/**
 * Unpacks a tarball of npm below an existing directory, without the folder that all its files are in. Read twice: what is
 * refused leaves no file behind. For a thread: it writes synchronously.
 */
export async function unpackTar(
  file: string,
  directory: string,
  limits: ArchiveLimits,
  accepts: (path: string) => boolean = () => true,
): Promise<{ files: number; bytes: number }> {
  try {
    await readFiles(file, limits, {
      onFile(path) {
        if (!accepts(path)) throw new ArchiveRefused('invalid_input', 'it has files of another kind')
      },
      onContent() {},
    })
    return await write(file, directory, limits)
  } catch (error) {
    throw explain(error)
  }
}

async function write(file: string, directory: string, limits: ArchiveLimits) {
  const made = new Set<string>()
  let target: number | undefined
  const close = () => {
    if (target !== undefined) closeSync(target)
    target = undefined
  }
  try {
    return await readFiles(file, limits, {
      onFile(path, isExecutable) {
        close()
        const folder = join(directory, dirname(path))
        if (!made.has(folder)) {
          mkdirSync(folder, { recursive: true, mode: 0o755 })
          made.add(folder)
        }
        target = openSync(join(directory, path), 'w', isExecutable ? 0o755 : 0o644)
      },
      onContent(piece) {
        for (let at = 0; at < piece.length && target !== undefined;) at += writeSync(target, piece, at)
      },
    })
  } finally {
    close()
  }
}

interface FileReader {
  onFile(path: string, isExecutable: boolean): void
  onContent(piece: Buffer): void
}

async function readFiles(file: string, limits: ArchiveLimits, { onFile, onContent }: FileReader) {
  const guard = new ArchiveGuard(limits)
  await readTar(inflate(file), {
    onEntry({ path, size, kind, isExecutable }) {
      if (kind !== 'file' && kind !== 'directory') guard.refuseKind(path, kind)
      // checked whole, so that no first folder hides where the rest leads
      const inside = guard.enter(path, size).replace(/^[^/]+\//, '')
      // directories are made with the files that are in them
      if (kind === 'file') onFile(inside, isExecutable)
    },
    onContent,
  })
  return guard.entered
}

async function* inflate(file: string): AsyncGenerator<Buffer> {
  const source = createReadStream(file)
  const gunzip = createGunzip()
  source.once('error', (error) => gunzip.destroy(error))
  try {
    for await (const piece of source.pipe(gunzip)) yield piece as Buffer
  } finally {
    source.destroy()
    gunzip.destroy()
  }
}

function explain(error: unknown): unknown {
  const { code = '' } = error as NodeJS.ErrnoException
  if (code.startsWith('Z_')) return new ArchiveRefused('invalid_input', 'it is damaged: it cannot be decompressed')
  // one path is the folder of another
  const isClash = code === 'ENOTDIR' || code === 'EISDIR' || code === 'EEXIST'
  return isClash ? new ArchiveRefused('invalid_input', 'one of its files is also a folder') : error
}
