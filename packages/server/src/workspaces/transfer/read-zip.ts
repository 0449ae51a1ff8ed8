import { setImmediate } from 'node:timers/promises'
import { crc32 } from 'node:zlib'
import { CoherexError, isPlainPath, workspaceLimits } from '@coherex/contract'
import { Unzip, UnzipInflate, UnzipPassThrough, type UnzipFile } from 'fflate'
import { mostDirectoryBytes, readZipDirectory } from './zip-directory.ts'

export interface ZipLimits {
  /** Of the archive and of all files in it together. */
  bytes: number
  files: number
}

const defaultLimits: ZipLimits = { bytes: 100_000_000, files: workspaceLimits.files }
/** A piece this small unpacks to a few megabytes at the most, so that the limit is met in time. */
const pieceBytes = 4096

interface Entry {
  path: string
  bytes: Uint8Array
}

/** The files of a zip, unpacked while it comes in. What would climb out, is too much, broken or cut short is refused as a whole. */
export async function readZip(chunks: AsyncIterable<Uint8Array>, limits: ZipLimits = defaultLimits): Promise<Entry[]> {
  const found = new Map<string, Buffer[]>()
  const end = new LastBytes(mostDirectoryBytes)
  let packed = 0
  let unpacked = 0
  let open = 0
  let problem: CoherexError | undefined

  const unzip = new Unzip((file) => {
    // folders are there when files are in them
    if (file.name.endsWith('/')) return
    problem ??= whyNot(file, found.size, limits)
    if (problem) return
    const parts: Buffer[] = []
    found.set(file.name, parts)
    open += 1
    file.ondata = (error, data, isLast) => {
      if (error) problem ??= broken(error)
      unpacked += data?.length ?? 0
      if (unpacked > limits.bytes) {
        problem ??= tooLarge(limits)
        file.terminate()
      } else parts.push(Buffer.from(data))
      if (isLast) open -= 1
    }
    file.start()
  })
  unzip.register(UnzipInflate)
  unzip.register(UnzipPassThrough)

  for await (const chunk of chunks) {
    packed += chunk.length
    end.push(chunk)
    if (packed > limits.bytes) problem ??= tooLarge(limits)
    for (let at = 0; at < chunk.length && !problem; at += pieceBytes) push(chunk.subarray(at, at + pieceBytes), false)
    if (problem) throw problem
    // others are served meanwhile
    await setImmediate()
  }
  push(new Uint8Array(), true)
  if (problem) throw problem
  const listed = readZipDirectory(end.read())
  if (found.size === 0) throw broken(listed ? 'it has no files in it' : 'it is no zip')
  if (open > 0 || !listed) throw broken('it is cut short')
  const entries: Entry[] = []
  for (const { name, checksum, isEncrypted } of listed.values()) {
    if (name.endsWith('/')) continue
    const parts = found.get(name)
    const shown = name.slice(0, 100)
    if (!parts) throw broken(`"${shown}" is not in it`)
    if (isEncrypted) throw broken(`"${shown}" is encrypted`)
    const bytes = Buffer.concat(parts)
    if (crc32(bytes) !== checksum) throw broken(`"${shown}" is damaged`)
    entries.push({ path: toPath(name), bytes })
    await setImmediate()
  }
  if (entries.length === 0) throw broken('it has no files in it')
  return entries

  function push(piece: Uint8Array, isLast: boolean): void {
    try {
      unzip.push(piece, isLast)
    } catch (error) {
      problem ??= broken(error)
    }
  }
}

/** Macs write names in UTF-8 and do not say so; as single bytes they would be read letter by letter. */
function toPath(name: string): string {
  if (!/^[\u0000-\u00ff]*[\u0080-\u00ff]/.test(name) || /[^\u0000-\u00ff]/.test(name)) return name
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(name, 'latin1'))
  } catch {
    return name
  }
}

/** The last bytes of a stream. */
class LastBytes {
  readonly #most: number
  #chunks: Uint8Array[] = []
  #length = 0

  constructor(most: number) {
    this.#most = most
  }

  push(chunk: Uint8Array): void {
    this.#chunks.push(chunk)
    this.#length += chunk.length
    while (this.#length - (this.#chunks[0]?.length ?? 0) >= this.#most) {
      this.#length -= this.#chunks.shift()?.length ?? 0
    }
  }

  read(): Buffer {
    return Buffer.concat(this.#chunks)
  }
}

function whyNot({ name, compression }: UnzipFile, count: number, limits: ZipLimits): CoherexError | undefined {
  if (!isPlainPath(name)) {
    return new CoherexError('invalid_input', `Cannot unpack "${name.slice(0, 100)}": its path must stay below the root`)
  }
  if (count >= limits.files) return tooLarge(limits)
  if (compression !== 0 && compression !== 8) return broken(`"${name.slice(0, 100)}" is packed in an unknown way`)
  return undefined
}

function tooLarge({ bytes, files }: ZipLimits): CoherexError {
  return new CoherexError(
    'too_large',
    `An archive has at most ${bytes / 1e6} MB, packed and unpacked, in ${files} files`,
  )
}

function broken(cause: unknown): CoherexError {
  // what the library says of a damaged one is no word for those who sent it
  const why = cause instanceof Error ? 'it is damaged' : String(cause)
  return new CoherexError('invalid_input', `Cannot read the archive: ${why}`, { cause })
}
