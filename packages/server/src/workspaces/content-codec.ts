import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { zstdCompress, zstdDecompressSync } from 'node:zlib'

// off the event loop: a text may have a megabyte, and a change many texts
const compress = promisify(zstdCompress)

export function hashOf(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** A text as it is stored: compressed alone, or against another that it resembles. */
export interface StoredText {
  hash: string
  base: string | null
  bytes: Buffer
}

/** A text stored whole that later ones are stored against. */
export interface Keyframe {
  hash: string
  bytes: Buffer
}

// a version of a long text is a few bytes against its keyframe; once they have grown apart it becomes one itself
const worthwhile = 0.3

export async function packText(
  hash: string,
  text: string,
  keyframe: Keyframe | undefined,
): Promise<StoredText & { isKeyframe: boolean }> {
  const bytes = Buffer.from(text)
  if (keyframe && keyframe.hash !== hash) {
    const delta = await compress(bytes, { dictionary: keyframe.bytes })
    if (delta.length < bytes.length * worthwhile) return { hash, base: keyframe.hash, bytes: delta, isKeyframe: false }
  }
  return { hash, base: null, bytes: await compress(bytes), isKeyframe: true }
}

export function unpackText(stored: Buffer, base: Buffer | undefined): Buffer {
  return zstdDecompressSync(stored, base ? { dictionary: base } : {})
}
