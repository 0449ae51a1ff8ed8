import * as buffer from 'buffer/'
import { atob, btoa } from '../base64.ts'
import { inspectCustom } from '../inspect.ts'

export const { Buffer } = buffer

addBase64Url()
Object.defineProperty(Buffer.prototype, inspectCustom, { value: show, writable: true, configurable: true })

export function createBufferModule(): object {
  return { Buffer, constants: { MAX_LENGTH: 2 ** 31 - 1 }, kMaxLength: 2 ** 31 - 1, atob, btoa }
}

/** The one encoding of Node that the package does not know; what it reads as base64 may be written either way. */
function addBase64Url(): void {
  const isUrlSafe = (value: unknown) => typeof value === 'string' && value.toLowerCase() === 'base64url'
  const known = (args: unknown[]) => args.map((value, at) => (at > 0 && isUrlSafe(value) ? 'base64' : value))
  const takeOver = (holder: object, name: string) => {
    const own = Reflect.get(holder, name) as (...args: unknown[]) => unknown
    const value = function (this: unknown, ...args: unknown[]) {
      return own.apply(this, known(args))
    }
    Object.defineProperty(value, 'name', { value: name })
    Object.defineProperty(holder, name, { value, writable: true, configurable: true })
  }
  for (const name of ['from', 'alloc', 'byteLength']) takeOver(Buffer, name)
  for (const name of ['write', 'fill', 'indexOf', 'lastIndexOf', 'includes']) takeOver(Buffer.prototype, name)

  const { isEncoding } = Buffer
  Buffer.isEncoding = (encoding: string): encoding is BufferEncoding => isUrlSafe(encoding) || isEncoding(encoding)
  const toString = Reflect.get(Buffer.prototype, 'toString') as (...args: unknown[]) => string
  const value = function (this: unknown, encoding?: unknown, ...range: unknown[]) {
    if (!isUrlSafe(encoding)) return toString.call(this, encoding, ...range)
    const text = toString.call(this, 'base64', ...range)
    return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')
  }
  for (const name of ['toString', 'toLocaleString'])
    Object.defineProperty(Buffer.prototype, name, { value, writable: true, configurable: true })
}

const shownBytes = 50

function show(this: Uint8Array): string {
  const bytes = Array.from(this.subarray(0, shownBytes), (byte) => byte.toString(16).padStart(2, '0')).join(' ')
  const left = this.length - shownBytes
  return `<Buffer ${bytes}${left > 0 ? ` ... ${left} more byte${left > 1 ? 's' : ''}` : ''}>`
}
