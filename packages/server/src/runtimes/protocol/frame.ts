// Runs on both sides of the pipe: in the server and, from this very file, in Node guests. Only node builtins here.
import { Buffer } from 'node:buffer'

/** The largest frame either side accepts. What can be larger (files) travels in several. */
export const maxFrameBytes = 16 * 1024 * 1024

const headerBytes = 4

/** The other side broke the protocol. Nothing it sends afterwards means anything. */
export class ProtocolError extends Error {
  override readonly name = 'ProtocolError'
}

/** Four bytes of length, big-endian, then that many bytes of UTF-8 JSON. */
export function encodeFrame(message: unknown, limitBytes: number = maxFrameBytes): Buffer {
  const text = JSON.stringify(message)
  if (text === undefined) throw new ProtocolError('Cannot send a frame: the message is not JSON')
  const size = Buffer.byteLength(text)
  if (size > limitBytes) throw new ProtocolError(`Cannot send a frame of ${size} bytes: the limit is ${limitBytes}`)
  const frame = Buffer.allocUnsafe(headerBytes + size)
  frame.writeUInt32BE(size, 0)
  frame.write(text, headerBytes)
  return frame
}

/** Turns chunks, split and merged as the pipe likes, back into the bodies of frames. After it threw, it only throws. */
export class FrameSplitter {
  readonly #limitBytes: number
  #chunks: Buffer[] = []
  #held = 0
  /** Size of the frame whose header was read; undefined between frames. */
  #expected: number | undefined
  #broken: ProtocolError | undefined

  constructor(limitBytes: number = maxFrameBytes) {
    this.#limitBytes = limitBytes
  }

  /** Bytes of an unfinished frame; not zero at the end of the pipe means that it was cut off. */
  get pendingBytes(): number {
    return this.#held + (this.#expected === undefined ? 0 : headerBytes)
  }

  /** Bodies complete with this chunk. Lazy, so that those before a broken frame still arrive. */
  *push(chunk: Uint8Array): Generator<Buffer, void> {
    if (this.#broken) throw this.#broken
    if (chunk.length > 0) {
      this.#chunks.push(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength))
      this.#held += chunk.length
    }
    for (;;) {
      if (this.#expected === undefined) {
        if (this.#held < headerBytes) return
        const size = this.#take(headerBytes).readUInt32BE(0)
        if (size > this.#limitBytes) throw this.fail(`a frame claims ${size} bytes, the limit is ${this.#limitBytes}`)
        this.#expected = size
      }
      if (this.#held < this.#expected) return
      const body = this.#take(this.#expected)
      this.#expected = undefined
      yield body
    }
  }

  /** What was split cannot be read: nothing after it is. */
  fail(reason: string): ProtocolError {
    this.#broken = new ProtocolError(`Broken guest protocol: ${reason}`)
    this.#chunks = []
    this.#held = 0
    return this.#broken
  }

  #take(size: number): Buffer {
    const first = this.#chunks[0]
    this.#held -= size
    if (first && first.length > size) {
      this.#chunks[0] = first.subarray(size)
      return first.subarray(0, size)
    }
    if (first && first.length === size) {
      this.#chunks.shift()
      return first
    }
    const all = Buffer.concat(this.#chunks)
    this.#chunks = all.length > size ? [all.subarray(size)] : []
    return all.subarray(0, size)
  }
}

/** Turns chunks back into messages. After it threw, it only throws. */
export class FrameDecoder {
  readonly #splitter: FrameSplitter
  readonly #refuse: (body: Uint8Array) => string | undefined

  /** `refuse` says why a body must not even be parsed; the host asks it of whatever a guest sends. */
  constructor(limitBytes: number = maxFrameBytes, refuse: (body: Uint8Array) => string | undefined = () => undefined) {
    this.#splitter = new FrameSplitter(limitBytes)
    this.#refuse = refuse
  }

  get pendingBytes(): number {
    return this.#splitter.pendingBytes
  }

  /** Messages complete with this chunk. Lazy, so that those before a broken frame still arrive. */
  *push(chunk: Uint8Array): Generator<unknown, void> {
    for (const body of this.#splitter.push(chunk)) {
      const refusal = this.#refuse(body)
      if (refusal !== undefined) throw this.#splitter.fail(`a frame cannot be read: ${refusal}`)
      let message: unknown
      try {
        message = JSON.parse(body.toString('utf8'))
      } catch {
        throw this.#splitter.fail('a frame is not JSON')
      }
      yield message
    }
  }
}
