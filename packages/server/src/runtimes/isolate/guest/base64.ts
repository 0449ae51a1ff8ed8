import { DOMException } from './events.ts'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const values = new Uint8Array(128).fill(255)
for (let at = 0; at < 64; at++) values[alphabet.charCodeAt(at)] = at
values[45] = 62 // "-" and "_" of the URL-safe spelling
values[95] = 63

/** The engine's own: put together piece by piece, nine megabytes take more memory than a program has. */
export function encodeBase64(bytes: Uint8Array): string {
  return (new Uint8Array(bytes) as Uint8Array & { toBase64(): string }).toBase64()
}

/** Undefined when the text is not base64. */
export function decodeBase64(text: string): Uint8Array | undefined {
  const clean = text.replace(/[\t\n\f\r ]+/g, '').replace(/={1,2}$/, '')
  if (clean.length % 4 === 1) return undefined
  const bytes = new Uint8Array((clean.length * 3) >> 2)
  let held = 0
  let bits = 0
  let at = 0
  for (let index = 0; index < clean.length; index++) {
    const value = values[clean.charCodeAt(index)] ?? 255
    if (value === 255) return undefined
    held = ((held << 6) | value) & 0xffff
    bits += 6
    if (bits >= 8) {
      bits -= 8
      bytes[at++] = (held >> bits) & 255
    }
  }
  return bytes
}

export function atob(data: string): string {
  const bytes = decodeBase64(String(data).replace(/[-_]/g, '!'))
  if (!bytes) throw invalidCharacter()
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return text
}

export function btoa(data: string): string {
  const text = String(data)
  const bytes = new Uint8Array(text.length)
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code > 255) throw invalidCharacter()
    bytes[at] = code
  }
  return encodeBase64(bytes)
}

function invalidCharacter(): DOMException {
  return new DOMException('Invalid character', 'InvalidCharacterError')
}
