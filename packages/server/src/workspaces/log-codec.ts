import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { Author } from '@coherex/contract'

/** One update of a document as it came, and from whom. */
export interface LoggedUpdate {
  seq: number
  bytes: Uint8Array
  author: Author
  at: Date
}

interface Header {
  authors: Author[]
  /** Of each update: its length, its time, and which of the authors made it. */
  updates: [length: number, at: number, author: number][]
}

/** Many updates in one compressed piece: the length of a JSON header, the header, then the updates end to end. */
export function packLog(updates: LoggedUpdate[]): Buffer {
  const authors = new Map<string, number>()
  const header: Header = { authors: [], updates: [] }
  for (const { bytes, author, at } of updates) {
    const key = JSON.stringify(author)
    const index = authors.get(key) ?? header.authors.push(author) - 1
    authors.set(key, index)
    header.updates.push([bytes.length, at.getTime(), index])
  }
  const text = Buffer.from(JSON.stringify(header))
  const length = Buffer.alloc(4)
  length.writeUInt32BE(text.length)
  return zstdCompressSync(Buffer.concat([length, text, ...updates.map(({ bytes }) => bytes)]))
}

export function unpackLog(packed: Buffer, firstSeq: number): LoggedUpdate[] {
  const all = zstdDecompressSync(packed)
  const start = 4 + all.readUInt32BE(0)
  const header = JSON.parse(all.toString('utf8', 4, start)) as Header
  let at = start
  return header.updates.map(([length, time, index], position) => {
    const author = header.authors[index]
    if (!author) throw new Error('a log names an author it does not have')
    const bytes = all.subarray(at, at + length)
    at += length
    return { seq: firstSeq + position, bytes, author, at: new Date(time) }
  })
}
