import { z } from 'zod'
import { CapabilityError } from '../capability.ts'
import { fileError } from './file-space.ts'

/** What a guest may hand over as content: text or bytes. */
export const fileData = z.union([z.string(), z.instanceof(Uint8Array)], 'must be a string or bytes')
export const readOptions = z.strictObject({ encoding: z.enum(['utf8', 'base64', 'bytes']).default('utf8') }).optional()
export const writeOptions = z.strictObject({ encoding: z.enum(['utf8', 'base64']).default('utf8') }).optional()

export type ReadEncoding = 'utf8' | 'base64' | 'bytes'

export function encodeFile(bytes: Uint8Array, encoding: ReadEncoding, path: string): string | Uint8Array {
  if (encoding === 'bytes') return bytes
  if (encoding === 'base64') return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64')
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw fileError('EILSEQ', path)
  }
}

export function decodeFile(data: string | Uint8Array, encoding: 'utf8' | 'base64'): Uint8Array {
  if (typeof data !== 'string') return data
  if (encoding === 'utf8') return Buffer.from(data)
  // Node's decoder skips what it does not know; half a file would be worse than none
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(data) || data.length % 4 !== 0) {
    throw new CapabilityError('INVALID_ARGUMENT', 'Cannot write the file: the data is not base64')
  }
  return Buffer.from(data, 'base64')
}
