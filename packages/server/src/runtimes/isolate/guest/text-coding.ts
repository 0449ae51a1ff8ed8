/** UTF-8 bytes of a string; lone surrogates become U+FFFD, as the standard says. */
export function encodeUtf8(text: string): Uint8Array {
  const bytes = new Uint8Array(text.length * 3)
  let at = 0
  for (let index = 0; index < text.length; index++) {
    let code = text.charCodeAt(index)
    if (code >= 0xd800 && code <= 0xdfff) {
      const next = text.charCodeAt(index + 1)
      if (code < 0xdc00 && next >= 0xdc00 && next <= 0xdfff) {
        code = 0x10000 + ((code - 0xd800) << 10) + (next - 0xdc00)
        index++
      } else code = 0xfffd
    }
    if (code < 0x80) bytes[at++] = code
    else if (code < 0x800) {
      bytes[at++] = 0xc0 | (code >> 6)
      bytes[at++] = 0x80 | (code & 63)
    } else if (code < 0x10000) {
      bytes[at++] = 0xe0 | (code >> 12)
      bytes[at++] = 0x80 | ((code >> 6) & 63)
      bytes[at++] = 0x80 | (code & 63)
    } else {
      bytes[at++] = 0xf0 | (code >> 18)
      bytes[at++] = 0x80 | ((code >> 12) & 63)
      bytes[at++] = 0x80 | ((code >> 6) & 63)
      bytes[at++] = 0x80 | (code & 63)
    }
  }
  return bytes.slice(0, at)
}

interface Decoded {
  text: string
  /** Bytes at the end that may still become a character. */
  rest: Uint8Array
  valid: boolean
}

export function decodeUtf8(bytes: Uint8Array, final = true): Decoded {
  const parts: string[] = []
  let units: number[] = []
  let valid = true
  let at = 0
  const put = (code: number) => {
    if (code > 0xffff) units.push(0xd800 + ((code - 0x10000) >> 10), 0xdc00 + ((code - 0x10000) & 0x3ff))
    else units.push(code)
    if (units.length > 4096) {
      parts.push(String.fromCharCode(...units))
      units = []
    }
  }
  while (at < bytes.length) {
    const first = bytes[at]!
    if (first < 0x80) {
      put(first)
      at++
      continue
    }
    const length =
      first >= 0xc2 && first < 0xe0 ? 2 : first >= 0xe0 && first < 0xf0 ? 3 : first >= 0xf0 && first < 0xf5 ? 4 : 0
    let code = length === 2 ? first & 31 : length === 3 ? first & 15 : first & 7
    let used = 1
    // the second byte's range is narrower after E0, ED, F0 and F4: no overlong forms, no surrogates
    let low = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80
    let high = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf
    while (used < length && at + used < bytes.length) {
      const next = bytes[at + used]!
      if (next < low || next > high) break
      code = (code << 6) | (next & 63)
      used++
      low = 0x80
      high = 0xbf
    }
    if (length > 0 && used === length) put(code)
    else if (length > 0 && at + used === bytes.length && !final) break
    else {
      put(0xfffd)
      valid = false
    }
    at += used
  }
  parts.push(String.fromCharCode(...units))
  return { text: parts.join(''), rest: bytes.slice(at), valid }
}

export class TextEncoder {
  get encoding(): string {
    return 'utf-8'
  }

  encode(text: unknown = ''): Uint8Array {
    return encodeUtf8(String(text))
  }

  encodeInto(text: string, target: Uint8Array): { read: number; written: number } {
    let read = 0
    let written = 0
    for (const character of String(text)) {
      const bytes = encodeUtf8(character)
      if (written + bytes.length > target.length) break
      target.set(bytes, written)
      written += bytes.length
      read += character.length
    }
    return { read, written }
  }
}

const encodings: Record<string, 'utf-8' | 'utf-16le' | 'windows-1252'> = {
  'utf-8': 'utf-8',
  utf8: 'utf-8',
  'utf-16le': 'utf-16le',
  'utf-16': 'utf-16le',
  ascii: 'windows-1252',
  latin1: 'windows-1252',
  'iso-8859-1': 'windows-1252',
  'windows-1252': 'windows-1252',
}

// 0x80 to 0x9f, the only part in which it is not Latin-1
const windows1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

export class TextDecoder {
  readonly encoding: string
  readonly fatal: boolean
  readonly ignoreBOM: boolean
  #rest = new Uint8Array()
  #started = false

  constructor(label = 'utf-8', options: { fatal?: boolean; ignoreBOM?: boolean } = {}) {
    const encoding = encodings[String(label).trim().toLowerCase()]
    if (!encoding) throw new RangeError(`TextDecoder: the encoding "${label}" is not supported`)
    this.encoding = encoding
    this.fatal = Boolean(options.fatal)
    this.ignoreBOM = Boolean(options.ignoreBOM)
  }

  decode(input?: ArrayBuffer | ArrayBufferView, options: { stream?: boolean } = {}): string {
    const given = input === undefined ? new Uint8Array() : bytesOf(input)
    const bytes = new Uint8Array(this.#rest.length + given.length)
    bytes.set(this.#rest)
    bytes.set(given, this.#rest.length)
    const final = !options.stream
    const decoded = this.#decode(bytes, final)
    if (this.fatal && !decoded.valid) {
      const error = new TypeError(`The encoded data was not valid for encoding ${this.encoding}`)
      throw Object.assign(error, { code: 'ERR_ENCODING_INVALID_ENCODED_DATA' })
    }
    this.#rest = final ? new Uint8Array() : new Uint8Array(decoded.rest)
    const text = !this.#started && !this.ignoreBOM ? decoded.text.replace(/^\uFEFF/, '') : decoded.text
    this.#started = !final && (this.#started || decoded.text !== '')
    return text
  }

  #decode(bytes: Uint8Array, final: boolean): Decoded {
    if (this.encoding === 'utf-8') return decodeUtf8(bytes, final)
    let text = ''
    if (this.encoding === 'utf-16le') {
      for (let at = 0; at + 1 < bytes.length; at += 2) text += String.fromCharCode(bytes[at]! | (bytes[at + 1]! << 8))
      return { text, rest: bytes.slice(bytes.length & ~1), valid: !final || bytes.length % 2 === 0 }
    }
    for (const byte of bytes)
      text += byte >= 0x80 && byte < 0xa0 ? windows1252[byte - 0x80]! : String.fromCharCode(byte)
    return { text, rest: new Uint8Array(), valid: true }
  }
}

export function bytesOf(source: ArrayBuffer | ArrayBufferView): Uint8Array {
  if (source instanceof ArrayBuffer) return new Uint8Array(source)
  if (ArrayBuffer.isView(source)) return new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
  throw new TypeError('The data is neither an ArrayBuffer nor a view of one')
}
