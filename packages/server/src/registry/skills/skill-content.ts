import { createHash } from 'node:crypto'
import type { GivenFile, SkillFiles } from '@coherex/contract'

/** The file that makes a folder a skill. */
export const instructionsPath = 'SKILL.md'

/** Files by their paths below the skill's folder. */
export type SkillContent = ReadonlyMap<string, Buffer>

export function fromGivenFiles(files: SkillFiles): SkillContent {
  return new Map(
    Object.entries(files).map(([path, file]) => [
      path,
      typeof file === 'string' ? Buffer.from(file) : Buffer.from(file.base64, 'base64'),
    ]),
  )
}

export function toGivenFiles(content: SkillContent): SkillFiles {
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

export const sizeOf = (content: SkillContent): number =>
  [...content.values()].reduce((sum, { length }) => sum + length, 0)

export function digestOf(content: SkillContent): string {
  return digestOfHashes([...content].map(([path, bytes]) => ({ path, hash: sha256(bytes) })))
}

/** From the hashes of files, so that a folder of a workspace is compared without reading it. */
export function digestOfHashes(files: readonly { path: string; hash: string }[]): string {
  // no path has a line end in it
  const lines = files.map(({ path, hash }) => `${hash} ${path}\n`).sort()
  return sha256(lines.join(''))
}

function sha256(data: string | Buffer): string {
  return createHash('sha256').update(data).digest('hex')
}

/** The instructions first, the rest in order. */
export function byPath([a]: [string, unknown], [b]: [string, unknown]): number {
  if (a === instructionsPath) return -1
  if (b === instructionsPath) return 1
  return a < b ? -1 : 1
}
