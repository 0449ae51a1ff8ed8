// Stands in for node:buffer in protocol/value.ts, which is the same file on both sides of the pipe.
import { decodeBase64, encodeBase64 } from './base64.ts'

export const Buffer = {
  from(source: string | ArrayBuffer, offsetOrEncoding?: number | string, length?: number): Uint8Array {
    if (typeof source === 'string') return decodeBase64(source) ?? new Uint8Array()
    const bytes = new Uint8Array(source, typeof offsetOrEncoding === 'number' ? offsetOrEncoding : 0, length)
    return Object.defineProperty(bytes, 'toString', { value: () => encodeBase64(bytes) })
  },
}
