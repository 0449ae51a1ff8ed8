import { createHash } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { deserialize, serialize } from 'node:v8'

/** What was made, by the path it has where it is put. */
export type MadeFiles = Record<string, Uint8Array>

interface Kept {
  stamp: string
  /** SHA-256 of each source, by its path in the project. */
  sources: Record<string, string>
  files: MadeFiles
}

interface MakeOptions {
  /** Of all that is made once, no two have the same. */
  name: string
  /** Everything but the sources that it depends on, such as the version of a compiler. */
  stamp: string
  /** Says which files of the project it was made from. */
  make(): Promise<{ sources: string[]; files: MadeFiles }>
  /** Where it is kept: beside the code, with its owner. What lies in a folder that others can write is not run. */
  directory?: string
}

export const project = join(import.meta.dirname, '../../../..')
const besideTheCode = join(project, 'node_modules/.cache/made')

/** Made by the first start that needs it, and taken as it is by later ones for as long as no source has changed. */
export async function makeOnce(options: MakeOptions): Promise<MadeFiles> {
  const { name, stamp, make, directory = besideTheCode } = options
  const file = join(directory, name)
  const kept = await readKept(file)
  if (kept?.stamp === stamp && (await isUnchanged(kept.sources))) return kept.files

  const { sources, files } = await make()
  const hashes = await Promise.all(sources.map(async (path) => [path, await hashSource(path)] as const))
  // where the code belongs to someone else nothing can be kept, and each start makes its own
  await keep(file, { stamp, sources: Object.fromEntries(hashes), files }).catch(() => undefined)
  return files
}

/** Of what has one file. */
export function onlyFile(files: MadeFiles): Uint8Array {
  const [file, ...others] = Object.values(files)
  if (!file || others.length > 0) throw new Error(`One file was to be made, and not ${Object.keys(files).join(', ')}`)
  return file
}

async function readKept(file: string): Promise<Kept | undefined> {
  try {
    const bytes = await readFile(file)
    const content = bytes.subarray(32)
    // a machine that lost its power may have kept a part of it
    return sha256(content).equals(bytes.subarray(0, 32)) ? (deserialize(content) as Kept) : undefined
  } catch {
    return undefined // there is none yet
  }
}

/** Readers see the old file or the new one, never half of it. */
async function keep(file: string, kept: Kept): Promise<void> {
  const content = serialize(kept)
  const temporary = `${file}.${process.pid}.${Math.random().toString(36).slice(2)}`
  await mkdir(join(file, '..'), { recursive: true })
  await writeFile(temporary, Buffer.concat([sha256(content), content]))
  await rename(temporary, file)
}

async function isUnchanged(sources: Record<string, string>): Promise<boolean> {
  const checks = Object.entries(sources).map(async ([path, hash]) => (await hashSource(path)) === hash)
  return (await Promise.all(checks)).every(Boolean)
}

async function hashSource(path: string): Promise<string> {
  const bytes = await readFile(join(project, path)).catch(() => undefined)
  return bytes ? sha256(bytes).toString('hex') : ''
}

function sha256(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest()
}
