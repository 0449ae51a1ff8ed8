import { CoherexError, workspaceLimits } from '@coherex/contract'
import type { Blobs } from '../../base/index.ts'
import type { Content } from './change-files.ts'

/** Bytes that a text of the longest kind can have. */
const mostTextBytes = workspaceLimits.fileCharacters * 4

/** Takes what someone sends as a file: text where people can edit it together, a blob otherwise. */
export async function readContent(
  blobs: Blobs,
  teamId: string,
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): Promise<Content> {
  const source = toIterator(chunks)
  const first: Uint8Array[] = []
  let size = 0
  while (size <= mostTextBytes) {
    const { done, value } = await source.next()
    if (done) return toContent(blobs, teamId, Buffer.concat(first))
    first.push(value)
    size += value.length
  }
  async function* all() {
    yield* first
    for (let next = await source.next(); !next.done; next = await source.next()) {
      size += next.value.length
      if (size > workspaceLimits.blobBytes)
        throw new CoherexError('too_large', 'A file of a workspace has at most 100 MB')
      yield next.value
    }
  }
  const hash = await blobs.put(teamId, all())
  return { kind: 'blob', hash, size }
}

/** Bytes as a text or a blob. */
export async function toContent(blobs: Blobs, teamId: string, bytes: Buffer): Promise<Content> {
  const text = toText(bytes)
  if (text !== undefined) return { kind: 'text', text }
  return { kind: 'blob', hash: await blobs.put(teamId, bytes), size: bytes.length }
}

/** The text of the bytes, where it is one that can be typed in: UTF-8, no NUL, not too long. */
function toText(bytes: Uint8Array): string | undefined {
  if (bytes.length > mostTextBytes || bytes.includes(0)) return undefined
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return text.length <= workspaceLimits.fileCharacters ? text : undefined
  } catch {
    return undefined
  }
}

function toIterator(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) {
  return Symbol.asyncIterator in chunks ? chunks[Symbol.asyncIterator]() : chunks[Symbol.iterator]()
}
