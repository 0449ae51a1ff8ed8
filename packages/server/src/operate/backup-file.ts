import { createHash, type Hash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { extract, pack } from 'tar-stream'
import { z } from 'zod'
import { StartError, syncDirectory } from '../base/index.ts'

/**
 * A backup is a gzipped tar: the manifest, pieces of tables in the text format of COPY, blobs by team and hash, and an
 * end with the SHA-256 of all before it, which also tells that the file is whole.
 */
const format = 1
const manifestName = 'backup.json'
const endName = 'end.json'

const manifestSchema = z.object({
  format: z.number(),
  version: z.string(),
  createdAt: z.string(),
  migrations: z.array(z.object({ name: z.string(), hash: z.string() })),
  /** Tells the right secret key from a wrong one; the key cannot be learned from it. */
  keyCheck: z.string().nullable(),
  /** The key itself, only when it was asked for. */
  secretKey: z.string().optional(),
  tables: z.array(z.object({ name: z.string(), columns: z.array(z.string()) })),
})
export type BackupManifest = z.infer<typeof manifestSchema>

const endSchema = z.object({ entries: z.number(), sha256: z.string() })

export interface BackupEntry {
  name: string
  content: AsyncIterable<Uint8Array>
}

export interface BackupWriter {
  add(name: string, size: number, content: Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<void>
}

export function createManifest(manifest: Omit<BackupManifest, 'format'>): BackupManifest {
  return { format, ...manifest }
}

/** Writes the file beside and renames it: it is whole or it is not there. Only its owner may read it. */
export async function writeBackup(
  file: string,
  manifest: BackupManifest,
  fill: (writer: BackupWriter) => Promise<void>,
): Promise<{ bytes: number }> {
  const beside = `${file}.part-${process.pid}`
  try {
    const tar = pack()
    const target = createWriteStream(beside, { flags: 'wx', mode: 0o600, flush: true })
    const written = pipeline(tar, createGzip({ level: 6 }), target)
    const filled = addAll(tar, manifest, fill)
    // either may fail first, and then the other would wait for ever
    await Promise.race([filled.then(() => written), written.then(() => filled)]).catch((error: Error) => {
      tar.destroy(error)
      throw error
    })
    const { size } = await stat(beside)
    await rename(beside, file)
    await syncDirectory(dirname(file))
    return { bytes: size }
  } catch (cause) {
    await rm(beside, { force: true })
    const reason = writeReason(cause as NodeJS.ErrnoException)
    throw reason ? new StartError(`Cannot write ${file}: ${reason}`, { cause }) : cause
  }
}

async function addAll(
  tar: ReturnType<typeof pack>,
  manifest: BackupManifest,
  fill: (writer: BackupWriter) => Promise<void>,
): Promise<void> {
  const hash = createHash('sha256')
  let entries = 0
  const add: BackupWriter['add'] = async (name, size, content) => {
    entries += 1
    hashHead(hash, name)
    let seen = 0
    await new Promise<void>((resolve, reject) => {
      const entry = tar.entry({ name, size, mode: 0o600 }, (error) => (error ? reject(error) : resolve()))
      // when the file cannot be written, every entry under way fails with it
      entry.on('error', reject)
      const givenUp = new Promise<never>((_, giveUp) => entry.once('close', () => giveUp(new Error('given up'))))
      givenUp.catch(() => undefined) // an entry that is whole closes as well
      const send = async () => {
        for await (const chunk of content) {
          seen += chunk.length
          if (seen > size) throw new Error(`${name} grew while it was copied`)
          hash.update(chunk)
          if (!entry.write(chunk))
            await Promise.race([new Promise<void>((drained) => entry.once('drain', drained)), givenUp])
        }
        entry.end(undefined)
      }
      send().catch(reject)
    })
    if (seen !== size) throw new Error(`${name} changed while it was copied`)
  }
  const addJson = (name: string, value: object) => {
    const bytes = Buffer.from(JSON.stringify(value, undefined, 2))
    return add(name, bytes.length, [bytes])
  }
  await addJson(manifestName, manifest)
  await fill({ add })
  await addJson(endName, { entries, sha256: hash.copy().digest('hex') })
  tar.finalize()
}

/** Reads a backup from front to back. What `visit` was given is only known to be whole when this has returned. */
export async function readBackup(
  file: string,
  visit: (entry: BackupEntry, manifest: BackupManifest) => Promise<void>,
): Promise<BackupManifest> {
  const source = createReadStream(file)
  const tar = extract()
  const fed = pipeline(source, createGunzip(), tar as unknown as NodeJS.WritableStream)
  // told by the loop below, which ends with the same error
  fed.catch(() => undefined)
  const hash = createHash('sha256')
  let manifest: BackupManifest | undefined
  let entries = 0
  let ended = false
  try {
    for await (const entry of tar) {
      const { name } = entry.header
      const bytes = entry as AsyncIterable<Uint8Array>
      if (ended) throw damaged(file)
      if (name === endName && manifest) {
        const end = endSchema.parse(JSON.parse(await textOf(bytes)))
        if (end.entries !== entries || end.sha256 !== hash.copy().digest('hex')) throw damaged(file)
        ended = true
        continue
      }
      entries += 1
      hashHead(hash, name)
      const content = hashed(bytes, hash)
      if (manifest) await visit({ name, content }, manifest)
      else manifest = await parseManifest(name, content)
      // what was not looked at counts for the checksum too
      for await (const _ of content);
    }
    await fed
  } catch (cause) {
    source.destroy()
    if (cause instanceof StartError) throw cause
    const { code } = cause as NodeJS.ErrnoException
    if (code === 'ENOENT') throw new StartError(`There is no file ${file}`, { cause })
    if (code === 'EACCES' || code === 'EISDIR') throw new StartError(`Cannot read ${file}`, { cause })
    if (isDamage(cause)) throw damaged(file, cause)
    throw cause
  }
  if (!manifest || !ended) throw damaged(file)
  return manifest
}

async function parseManifest(name: string, content: AsyncIterable<Uint8Array>): Promise<BackupManifest> {
  if (name !== manifestName) throw new StartError('This is not a backup of Coherex')
  const json = JSON.parse(await textOf(content)) as { format?: unknown }
  if (typeof json.format === 'number' && json.format > format)
    throw new StartError('The backup was written by a newer Coherex: restore it with that version')
  return manifestSchema.parse(json)
}

async function* hashed(content: AsyncIterable<Uint8Array>, hash: Hash): AsyncGenerator<Uint8Array> {
  for await (const chunk of content) {
    hash.update(chunk)
    yield chunk
  }
}

function hashHead(hash: Hash, name: string): void {
  hash.update(`\0${name}\0`)
}

async function textOf(content: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of content) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

function isDamage(error: unknown): boolean {
  const { code, message } = error as NodeJS.ErrnoException
  if (error instanceof SyntaxError || error instanceof z.ZodError) return true
  return Boolean(code?.startsWith('Z_')) || /tar|end of data|unexpected end/i.test(message)
}

function damaged(file: string, cause?: unknown): StartError {
  return new StartError(`${file} is damaged or is no backup of Coherex: nothing was restored`, { cause })
}

function writeReason({ code, syscall }: NodeJS.ErrnoException): string | undefined {
  if (code === 'ENOSPC' || code === 'EDQUOT') return 'the disk is full'
  if (code === 'EROFS') return 'the file system is read-only'
  if (syscall !== 'open') return undefined
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'its folder does not exist'
  return code === 'EACCES' || code === 'EPERM' ? 'permission denied' : undefined
}
