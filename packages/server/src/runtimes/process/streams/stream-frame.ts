import { ProtocolError } from '../../protocol/frame.ts'

/** A stream is one connection. Either side may send `windowBytes` on it before the other has granted more. */
export const frameTypes = {
  /** By the guest only, each with a number higher than the last. */
  open: 1,
  data: 2,
  /** No more data this way. */
  end: 3,
  /** The stream is over, both ways. */
  reset: 4,
  /** So many more bytes (32 bits) may be sent. */
  credit: 5,
} as const

export type FrameType = (typeof frameTypes)[keyof typeof frameTypes]

/** Type (8 bits), stream (32), size of the payload (16), big-endian; then the payload. */
const headerBytes = 7
export const maxPayloadBytes = 32_768
/** What a stream may have under way in one direction, and so the most that either side holds for it. */
export const windowBytes = 65_536

export interface StreamFrame {
  type: FrameType
  stream: number
  payload: Buffer
}

export function encodeHeader(type: FrameType, stream: number, payloadBytes: number): Buffer {
  const header = Buffer.allocUnsafe(headerBytes)
  header.writeUInt8(type, 0)
  header.writeUInt32BE(stream, 1)
  header.writeUInt16BE(payloadBytes, 5)
  return header
}

/** Turns chunks back into frames. What a guest sends may be anything: the first frame that is none throws. */
export class StreamFrameDecoder {
  #rest: Buffer = Buffer.alloc(0)

  push(chunk: Buffer, take: (frame: StreamFrame) => void): void {
    // less than one frame is left over at a time, so this copies little
    let bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    while (bytes.length >= headerBytes) {
      const type = readType(bytes)
      const stream = bytes.readUInt32BE(1)
      const size = bytes.readUInt16BE(5)
      if (!fits(type, size)) throw new ProtocolError(`Broken stream link: a frame of type ${type} with ${size} bytes`)
      if (bytes.length < headerBytes + size) break
      take({ type, stream, payload: bytes.subarray(headerBytes, headerBytes + size) })
      bytes = bytes.subarray(headerBytes + size)
    }
    this.#rest = bytes
  }
}

function readType(bytes: Buffer): FrameType {
  const code = bytes.readUInt8(0)
  const type = Object.values(frameTypes).find((known) => known === code)
  if (type === undefined) throw new ProtocolError(`Broken stream link: no frame has type ${code}`)
  return type
}

function fits(type: FrameType, size: number): boolean {
  switch (type) {
    case frameTypes.data:
      return size > 0 && size <= maxPayloadBytes
    case frameTypes.credit:
      return size === 4
    default:
      return size === 0
  }
}
