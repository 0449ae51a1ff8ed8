import type { Duplex } from 'node:stream'
import { ProtocolError } from '../../protocol/frame.ts'
import { GuestStream, type StreamLink } from './guest-stream.ts'
import { encodeHeader, type FrameType, frameTypes, type StreamFrame, StreamFrameDecoder } from './stream-frame.ts'

export interface GuestStreamsOptions {
  /** A client inside connected to the sandbox's proxy. */
  onConnection(connection: Duplex): void
  /** The guest sent what is no frame, or too much; every stream is over by then. */
  onBroken(reason: string): void
}

// an honest guest has half as many and lets the others wait; some may end here a little later than there
const maxStreams = 128

/**
 * Connections from a sandbox, all over one socket: descriptor 0 inside, `Launched.stdin` here. The other end is
 * `guest/python/streams.py`.
 */
export class GuestStreams {
  readonly #link: Duplex
  readonly #options: GuestStreamsOptions
  readonly #decoder = new StreamFrameDecoder()
  readonly #streams = new Map<number, GuestStream>()
  readonly #whenFree: (() => void)[] = []
  readonly #carrier: StreamLink
  #taken = 0
  #lastId = 0
  #isClosed = false

  constructor(link: Duplex, options: GuestStreamsOptions) {
    this.#link = link
    this.#options = options
    this.#carrier = {
      send: (type, stream, payload) => this.#send(type, stream, payload),
      whenFree: (callback) => (link.writableNeedDrain ? this.#whenFree.push(callback) : callback()),
      forget: (stream) => this.#forget(stream),
    }
    link.on('data', this.#read)
    link.on('drain', this.#drained)
    link.once('close', () => this.close())
    if (link.destroyed) this.close()
  }

  /** Ends every stream. The link itself belongs to whoever made it. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#link.removeListener('data', this.#read)
    this.#link.removeListener('drain', this.#drained)
    this.#link.resume()
    for (const stream of this.#streams.values()) stream.receiveReset()
    this.#drained()
  }

  readonly #read = (chunk: Buffer): void => {
    try {
      this.#decoder.push(chunk, (frame) => this.#take(frame))
    } catch (error) {
      this.close()
      this.#options.onBroken(error instanceof Error ? error.message : String(error))
    }
  }

  readonly #drained = (): void => {
    this.#link.resume()
    for (const callback of this.#whenFree.splice(0)) callback()
  }

  #take({ type, stream: id, payload }: StreamFrame): void {
    if (type === frameTypes.open) return this.#accept(id)
    const stream = this.#streams.get(id)
    if (!stream) {
      // what crossed our reset on its way
      if (id <= this.#lastId) return
      throw new ProtocolError('Broken stream link: a frame for a stream that was never opened')
    }
    switch (type) {
      case frameTypes.data:
        return stream.receive(payload)
      case frameTypes.end:
        return stream.receiveEnd()
      case frameTypes.reset:
        return stream.receiveReset()
      case frameTypes.credit:
        return stream.receiveCredit(payload.readUInt32BE(0))
    }
  }

  #accept(id: number): void {
    if (id <= this.#lastId) throw new ProtocolError('Broken stream link: a stream with a number that is not free')
    this.#lastId = id
    if (this.#taken >= maxStreams) return this.#send(frameTypes.reset, id)
    this.#taken++
    const stream = new GuestStream(id, this.#carrier)
    this.#streams.set(id, stream)
    this.#options.onConnection(stream)
  }

  #forget(id: number): void {
    if (!this.#streams.delete(id)) return
    // a place is free in the next turn: one chunk of opens and resets must not make thousands of streams
    setImmediate(() => this.#taken--)
  }

  #send(type: FrameType, id: number, payload?: Buffer): void {
    if (this.#isClosed || !this.#link.writable) return
    this.#link.cork()
    this.#link.write(encodeHeader(type, id, payload?.length ?? 0))
    if (payload) this.#link.write(payload)
    this.#link.uncork()
    // a guest that sends without reading the answers must not fill the server's memory
    if (this.#link.writableNeedDrain) this.#link.pause()
  }
}
