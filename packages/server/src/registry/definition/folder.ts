import { createHash } from 'node:crypto'
import type { GivenFile } from '@coherex/contract'

type GivenFiles = Record<string, GivenFile>

/** Files by their paths below the folder that is a definition. */
export type Folder = ReadonlyMap<string, Buffer>

const heads = new Set(['SKILL.md', 'tool.yaml'])

export function fromGivenFiles(files: GivenFiles): Folder {
  return new Map(
    Object.entries(files).map(([path, file]) => [
      path,
      typeof file === 'string' ? Buffer.from(file) : Buffer.from(file.base64, 'base64'),
    ]),
  )
}

export function toGivenFiles(content: Folder): GivenFiles {
  return Object.fromEntries([...content].sort(byPath).map(([path, bytes]) => [path, toGivenFile(bytes)]))
}

function toGivenFile(bytes: Buffer): GivenFile {
  return readText(bytes) ?? { base64: bytes.toString('base64') }
}

/** A file as text; undefined when it is none. */
export function readText(bytes: Buffer): string | undefined {
  if (bytes.includes(0)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

export const sizeOf = (content: Folder): number => [...content.values()].reduce((sum, { length }) => sum + length, 0)

export function digestOf(content: Folder): string {
  return digestOfHashes([...content].map(([path, bytes]) => ({ path, hash: sha256(bytes) })))
}

/** From the hashes of files, so that a folder of a workspace is compared without reading it. */
export function digestOfHashes(files: readonly { path: string; hash: string }[]): string {
  // no path has a line end in it
  const lines = files.map(({ path, hash }) => `${hash} ${path}\n`).sort()
  return sha256(lines.join(''))
}

export function sha256(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex')
}

/** What says what the folder is comes first, the rest in order. */
export function byPath([a]: [string, unknown], [b]: [string, unknown]): number {
  if (heads.has(a) !== heads.has(b)) return heads.has(a) ? -1 : 1
  return a < b ? -1 : 1
}
