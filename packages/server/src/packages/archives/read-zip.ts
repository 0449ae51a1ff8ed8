import { closeSync, createReadStream, fstatSync, openSync, readSync } from 'node:fs'
import { createInflateRaw, crc32, inflateRawSync } from 'node:zlib'
import { ArchiveRefused } from './archive-guard.ts'

/** One entry of a zip archive, as its directory tells; its content is checked against that when it is read. */
export interface ZipEntry {
  path: string
  kind: 'file' | 'directory' | 'link' | 'device'
  size: number
  packedSize: number
  isExecutable: boolean
  isDeflated: boolean
  crc: number
  /** Of its own header in the file. */
  offset: number
}

export interface ZipLimits {
  maxFiles: number
}

const endSize = 22
const maxComment = 65_535
const localSize = 30
const entrySize = 46
const signatures = { entry: 0x02014b50, local: 0x04034b50, end: 0x06054b50, end64: 0x06064b50, locator64: 0x07064b50 }
const full = 0xffffffff
// what is inflated in one go; larger ones come in pieces
const atOnce = 8_000_000
const fileTypes: Record<number, ZipEntry['kind']> = { 0: 'file', 8: 'file', 4: 'directory', 10: 'link' }

/** An open zip archive. For a thread: it reads synchronously. */
export class ZipFile {
  readonly entries: readonly ZipEntry[]
  readonly #file: string
  readonly #descriptor: number
  readonly #bytes: number

  constructor(file: string, { maxFiles }: ZipLimits) {
    this.#file = file
    this.#descriptor = openSync(file, 'r')
    try {
      this.#bytes = fstatSync(this.#descriptor).size
      this.entries = this.#readDirectory(maxFiles)
      this.#refuseOverlap()
    } catch (error) {
      this.close()
      throw error
    }
  }

  close(): void {
    closeSync(this.#descriptor)
  }

  /** Small ones at once. */
  readWhole(entry: ZipEntry, maxBytes: number): Buffer {
    if (entry.size > maxBytes) throw damaged(`"${entry.path.slice(0, 100)}" is too large`)
    const packed = this.#read(this.#contentAt(entry), entry.packedSize)
    const content = entry.isDeflated ? inflate(packed, entry.size) : packed
    check(entry, content.length, crc32(content))
    return content
  }

  async *read(entry: ZipEntry): AsyncGenerator<Buffer> {
    if (entry.size <= atOnce && entry.packedSize <= atOnce) {
      yield this.readWhole(entry, atOnce)
      return
    }
    const start = this.#contentAt(entry)
    const source = createReadStream(this.#file, { start, end: start + entry.packedSize - 1 })
    const inflated = entry.isDeflated ? source.pipe(createInflateRaw()) : source
    source.once('error', (error) => inflated.destroy(error))
    let size = 0
    let sum = 0
    try {
      for await (const piece of inflated as AsyncIterable<Buffer>) {
        size += piece.length
        sum = crc32(piece, sum)
        if (size > entry.size) throw damaged('a file is larger than it says')
        yield piece
      }
    } catch (error) {
      throw explainInflate(error)
    } finally {
      source.destroy()
      inflated.destroy()
    }
    check(entry, size, sum)
  }

  #read(at: number, length: number): Buffer {
    if (at < 0 || length < 0 || at + length > this.#bytes) throw damaged('it ends too early')
    const buffer = Buffer.allocUnsafe(length)
    for (let done = 0; done < length;) {
      const got = readSync(this.#descriptor, buffer, done, length - done, at + done)
      if (got === 0) throw damaged('it ends too early')
      done += got
    }
    return buffer
  }

  #readDirectory(maxFiles: number): ZipEntry[] {
    const { count, size, offset } = this.#findDirectory()
    if (count > maxFiles) throw new ArchiveRefused('too_large', `it has more than ${maxFiles} files`)
    if (size > count * (entrySize + 4096)) throw damaged('its directory is larger than its files need')
    const directory = this.#read(offset, size)
    const entries: ZipEntry[] = []
    const seen = new Set<string>()
    let at = 0
    for (let index = 0; index < count; index++) {
      if (at + entrySize > size || directory.readUInt32LE(at) !== signatures.entry)
        throw damaged('its directory is cut')
      const [nameLength, extraLength, commentLength] = [28, 30, 32].map((field) => directory.readUInt16LE(at + field))
      const end = at + entrySize + (nameLength ?? 0) + (extraLength ?? 0) + (commentLength ?? 0)
      if (end > size) throw damaged('its directory is cut')
      const entry = readEntry(directory.subarray(at, end))
      // two readers could take another one of two with the same name
      if (seen.has(entry.path)) throw damaged(`"${entry.path.slice(0, 100)}" is in it twice`)
      seen.add(entry.path)
      entries.push(entry)
      at = end
    }
    return entries
  }

  #findDirectory(): { count: number; size: number; offset: number } {
    const length = Math.min(this.#bytes, endSize + maxComment)
    const tail = this.#read(this.#bytes - length, length)
    let at = length - endSize
    while (at >= 0 && tail.readUInt32LE(at) !== signatures.end) at--
    if (at < 0) throw damaged('it is not a zip archive')
    const found = {
      count: tail.readUInt16LE(at + 10),
      size: tail.readUInt32LE(at + 12),
      offset: tail.readUInt32LE(at + 16),
    }
    if (found.count !== 0xffff && found.size !== full && found.offset !== full) return found
    const locator = at - 20
    if (locator < 0 || tail.readUInt32LE(locator) !== signatures.locator64) return found
    const end = this.#read(toNumber(tail.readBigUInt64LE(locator + 8)), 56)
    if (end.readUInt32LE(0) !== signatures.end64) throw damaged('its directory is not where it says')
    const [count = 0, size = 0, offset = 0] = [32, 40, 48].map((field) => toNumber(end.readBigUInt64LE(field)))
    return { count, size, offset }
  }

  #contentAt(entry: ZipEntry): number {
    const header = this.#read(entry.offset, localSize)
    if (header.readUInt32LE(0) !== signatures.local) throw damaged('a file is not where its directory says')
    const nameLength = header.readUInt16LE(26)
    const name = this.#read(entry.offset + localSize, nameLength).toString('utf8')
    if (name !== entry.path) throw damaged('a file has two names')
    return entry.offset + localSize + nameLength + header.readUInt16LE(28)
  }

  /** Files that share their bytes make a small archive endless. */
  #refuseOverlap(): void {
    const sorted = this.entries.toSorted((a, b) => a.offset - b.offset)
    let end = 0
    for (const { offset, packedSize } of sorted) {
      if (offset < end) throw damaged('its files overlap')
      end = offset + localSize + packedSize
      if (end > this.#bytes) throw damaged('it ends too early')
    }
  }
}

function readEntry(bytes: Buffer): ZipEntry {
  const flags = bytes.readUInt16LE(8)
  const method = bytes.readUInt16LE(10)
  const nameLength = bytes.readUInt16LE(28)
  const path = bytes.toString('utf8', entrySize, entrySize + nameLength)
  if ((flags & 1) !== 0) throw damaged('it is encrypted')
  if (method !== 0 && method !== 8) throw damaged('it is compressed in a way that wheels do not use')
  const extra = bytes.subarray(entrySize + nameLength, entrySize + nameLength + bytes.readUInt16LE(30))
  const large = readLarge(extra)
  const take = (value: number) => (value === full ? (large.shift() ?? value) : value)
  const size = take(bytes.readUInt32LE(24))
  const packedSize = take(bytes.readUInt32LE(20))
  const offset = take(bytes.readUInt32LE(42))
  const mode = bytes.readUInt16LE(4) >> 8 === 3 ? bytes.readUInt32LE(38) >>> 16 : 0
  const kind = path.endsWith('/') ? 'directory' : (fileTypes[mode >>> 12] ?? 'device')
  return {
    ...{ path, kind, size, packedSize, offset, crc: bytes.readUInt32LE(16) },
    ...{ isDeflated: method === 8, isExecutable: (mode & 0o111) !== 0 },
  }
}

/** Numbers of zip64, in the order of the fields that have no room for theirs. */
function readLarge(extra: Buffer): number[] {
  for (let at = 0; at + 4 <= extra.length;) {
    const length = extra.readUInt16LE(at + 2)
    if (extra.readUInt16LE(at) === 1) {
      const field = extra.subarray(at + 4, at + 4 + length)
      return Array.from({ length: Math.floor(field.length / 8) }, (_, index) =>
        toNumber(field.readBigUInt64LE(index * 8)),
      )
    }
    at += 4 + length
  }
  return []
}

function toNumber(value: bigint): number {
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw damaged('a size is too large')
  return Number(value)
}

function inflate(packed: Buffer, size: number): Buffer {
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, size) })
  } catch (error) {
    throw explainInflate(error)
  }
}

function explainInflate(error: unknown): unknown {
  const { code = '' } = error as NodeJS.ErrnoException
  if (code === 'ERR_BUFFER_TOO_LARGE') return damaged('a file is larger than it says')
  return code.startsWith('Z_') ? damaged('it cannot be decompressed') : error
}

function check({ size, crc }: ZipEntry, gotSize: number, gotCrc: number): void {
  if (size !== gotSize || crc !== gotCrc) throw damaged('a file has not the content it says')
}

function damaged(why: string): ArchiveRefused {
  return new ArchiveRefused('invalid_input', `it is damaged: ${why}`)
}
