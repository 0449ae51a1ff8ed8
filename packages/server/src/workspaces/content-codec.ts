import { createHash } from 'node:crypto'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'

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

export function packText(
  hash: string,
  text: string,
  keyframe: Keyframe | undefined,
): StoredText & { isKeyframe: boolean } {
  const bytes = Buffer.from(text)
  if (keyframe && keyframe.hash !== hash) {
    const delta = zstdCompressSync(bytes, { dictionary: keyframe.bytes })
    if (delta.length < bytes.length * worthwhile) return { hash, base: keyframe.hash, bytes: delta, isKeyframe: false }
  }
  return { hash, base: null, bytes: zstdCompressSync(bytes), isKeyframe: true }
}

export function unpackText(stored: Buffer, base: Buffer | undefined): Buffer {
  return zstdDecompressSync(stored, base ? { dictionary: base } : {})
}
