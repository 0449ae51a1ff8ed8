import { Readable, type Transform } from 'node:stream'
import { constants, createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib'
import { EgressError } from '../egress-error.ts'
import type { Exchange } from './exchange.ts'

const maxEncodings = 2

/** The body with its content encodings undone, piece by piece: a bomb is seen while it grows, not after. */
export function decodeBody(exchange: Exchange): Readable {
  const encodings = exchange.headers
    .filter(([name]) => name === 'content-encoding')
    .flatMap(([, value]) => value.toLowerCase().split(','))
    .map((value) => value.trim())
    .filter((value) => value !== '' && value !== 'identity')
  const isEmpty = exchange.method === 'HEAD' || exchange.status === 204 || exchange.status === 304
  if (encodings.length === 0 || isEmpty) return exchange.body
  if (encodings.length > maxEncodings) throw badEncoding(`${encodings.length} encodings on top of each other`)

  let stream: Readable = exchange.body
  for (const encoding of encodings.toReversed()) {
    const decoder = createDecoder(encoding)
    const source = stream
    source.on('error', (error) => decoder.destroy(error))
    decoder.on('close', () => source.destroy())
    decoder.on('error', () => {})
    let isNothing = true
    source.once('data', () => (isNothing = false))
    // servers say how they would have encoded a body that they do not have; to a decoder nothing is a beginning without an end
    source.once('end', () => (isNothing ? decoder.push(null) : decoder.end()))
    stream = source.pipe(decoder, { end: false })
  }
  return stream
}

/** Reads up to `maxBytes` and lets the rest go unread. */
export async function readBody(
  exchange: Exchange,
  maxBytes: number,
): Promise<{ bytes: Uint8Array; truncated: boolean }> {
  const stream = decodeBody(exchange)
  const end = () => stream.destroy(exchange.signal.reason as Error)
  exchange.signal.addEventListener('abort', end, { once: true })
  // one growing buffer: ten million chunks of one byte would cost a gigabyte as a list
  let bytes = Buffer.alloc(Math.min(65_536, maxBytes))
  let size = 0
  try {
    exchange.signal.throwIfAborted()
    for await (const chunk of stream as AsyncIterable<Uint8Array>) {
      const taken = Math.min(chunk.length, maxBytes - size)
      if (size + taken > bytes.length) {
        const grown = Buffer.alloc(Math.min(maxBytes, Math.max(bytes.length * 2, size + taken)))
        bytes.copy(grown, 0, 0, size)
        bytes = grown
      }
      bytes.set(taken < chunk.length ? chunk.subarray(0, taken) : chunk, size)
      size += taken
      if (taken < chunk.length) return { bytes: bytes.subarray(0, size), truncated: true }
    }
    return { bytes: bytes.subarray(0, size), truncated: false }
  } catch (error) {
    if (isZlibError(error)) throw badEncoding('it cannot be decoded', error)
    throw error
  } finally {
    exchange.signal.removeEventListener('abort', end)
    stream.destroy()
    exchange.close()
  }
}

function createDecoder(encoding: string): Transform {
  switch (encoding) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip()
    case 'deflate':
      return createInflate()
    case 'br':
      return createBrotliDecompress()
    case 'zstd':
      // RFC 8878 asks decoders to take 8 MB; the library would take 128
      return createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: 23 } })
    default:
      throw badEncoding('its encoding is unknown')
  }
}

function badEncoding(why: string, cause?: unknown): EgressError {
  return new EgressError('FETCH_FAILED', 'response', `Cannot read the answer's body: ${why}`, cause)
}

function isZlibError(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return /^(Z_|ERR_BROTLI|ERR__ERROR|ERR_ZLIB|ZSTD_)/.test(code)
}
