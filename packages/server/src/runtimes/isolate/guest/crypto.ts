import { decodeBase64 } from './base64.ts'
import { DOMException } from './events.ts'
import type { Host } from './host.ts'

const maxBytes = 65_536

export function createCrypto(host: Pick<Host, 'random'>) {
  const random = (size: number) => decodeBase64(host.random(size)) ?? new Uint8Array()
  return {
    getRandomValues<View extends ArrayBufferView>(view: View): View {
      if (!ArrayBuffer.isView(view)) throw new TypeError('getRandomValues: the argument is not a typed array')
      if (view.byteLength > maxBytes)
        throw new DOMException(`getRandomValues: more than ${maxBytes} bytes`, 'QuotaExceededError')
      new Uint8Array(view.buffer, view.byteOffset, view.byteLength).set(random(view.byteLength))
      return view
    },
    randomUUID(): string {
      const bytes = random(16)
      bytes[6] = (bytes[6]! & 0x0f) | 0x40
      bytes[8] = (bytes[8]! & 0x3f) | 0x80
      const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
      return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-')
    },
  }
}
