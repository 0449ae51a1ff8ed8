import type { Duplex } from 'node:stream'
import { ProtocolError } from '../../protocol/frame.ts'
import { GuestStream, type StreamLink } from './guest-stream.ts'
import { encodeHeader, type FrameType, frameTypes, type StreamFrame, StreamFrameDecoder } from './stream-frame.ts'

export interface GuestStreamsOptions {
  /**
   * A client inside connected to the sandbox's proxy address. Absent, the sandbox has no way out and each such
   * connection is closed.
   */
  onConnection?(connection: Duplex): void
  /** The guest sent what is no frame, or too much; every stream is over by then. */
  onBroken?(reason: string): void
  /** Connections from inside at once; more are closed. */
  maxStreams?: number
  connectMs?: number
}

/** An honest guest has half as many and lets the others wait; some may end here a little later than there. */
export const defaultMaxStreams = 128

/**
 * Connections between a sandbox and the server, all over one socket: descriptor 0 of the sandbox, `Launched.stdin` here.
 *
 * Inside, `guest/python/streams.py` is the other end. It connects to ports for `connect()`, and where the network is granted
 * it also listens at `proxyAddress` and sends every connection here:
 *
 *     const streams = new GuestStreams(launched.stdin, { onConnection: (connection) => network.accept(connection) })
 *     const page = await streams.connect(8000)
 */
export class GuestStreams {
  readonly #link: Duplex
  readonly #options: GuestStreamsOptions
  readonly #decoder = new StreamFrameDecoder()
  readonly #streams = new Map<number, GuestStream>()
  readonly #connecting = new Map<number, { opened(): void; refused(): void }>()
  readonly #whenFree: (() => void)[] = []
  readonly #carrier: StreamLink
  #fromGuest = 0
  #lastGuestId = 0
  #lastHostId = 0
  #isClosed = false

  constructor(link: Duplex, options: GuestStreamsOptions = {}) {
    this.#link = link
    this.#options = options
    this.#carrier = {
      send: (type, stream, payload) => this.#send(type as FrameType, stream, payload),
      whenFree: (callback) => (link.writableNeedDrain ? this.#whenFree.push(callback) : callback()),
      forget: (stream) => this.#forget(stream),
    }
    link.on('data', this.#read)
    link.on('drain', this.#drained)
    link.once('close', () => this.close())
    if (link.destroyed) this.close()
  }

  /** A connection to a port that a process inside listens on, on loopback; rejects when none does. */
  async connect(port: number): Promise<Duplex> {
    if (this.#isClosed) throw new Error('the sandbox has ended')
    const id = (this.#lastHostId += 2)
    const stream = new GuestStream(id, this.#carrier)
    this.#streams.set(id, stream)
    const payload = Buffer.allocUnsafe(2)
    payload.writeUInt16BE(port, 0)
    const refused = new Error(`nothing takes connections on port ${port}`)
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(() => stream.destroy(), this.#options.connectMs ?? 5_000)
      const settle = (act: () => void) => () => {
        clearTimeout(timer)
        this.#connecting.delete(id)
        act()
      }
      this.#connecting.set(id, { opened: settle(resolve), refused: settle(() => reject(refused)) })
      this.#send(frameTypes.open, id, payload)
    })
    return stream
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
      this.#options.onBroken?.(error instanceof Error ? error.message : String(error))
    }
  }

  readonly #drained = (): void => {
    this.#link.resume()
    for (const callback of this.#whenFree.splice(0)) callback()
  }

  #take({ type, stream: id, payload }: StreamFrame): void {
    if (type === frameTypes.open) return this.#accept(id, payload)
    const stream = this.#streams.get(id)
    // what crossed our reset on its way
    if (!stream) return this.#checkKnown(id)
    switch (type) {
      case frameTypes.data:
        return stream.receive(payload)
      case frameTypes.end:
        return stream.receiveEnd()
      case frameTypes.reset:
        return stream.receiveReset()
      case frameTypes.credit:
        return stream.receiveCredit(payload.readUInt32BE(0))
      case frameTypes.opened:
        return this.#connecting.get(id)?.opened()
    }
  }

  #checkKnown(id: number): void {
    if (id <= (id % 2 === 1 ? this.#lastGuestId : this.#lastHostId)) return
    throw new ProtocolError('Broken stream link: a frame for a stream that was never opened')
  }

  #accept(id: number, payload: Buffer): void {
    if (id % 2 === 0 || id <= this.#lastGuestId || payload.length > 0) {
      throw new ProtocolError('Broken stream link: a stream is opened with a number that is not free')
    }
    this.#lastGuestId = id
    const { onConnection, maxStreams = defaultMaxStreams } = this.#options
    if (!onConnection || this.#fromGuest >= maxStreams) return this.#send(frameTypes.reset, id)
    this.#fromGuest++
    const stream = new GuestStream(id, this.#carrier)
    this.#streams.set(id, stream)
    onConnection(stream)
  }

  #forget(id: number): void {
    if (!this.#streams.delete(id)) return
    this.#connecting.get(id)?.refused()
    if (id % 2 === 0) return
    // a place is free in the next turn: one chunk of opens and resets must not make thousands of streams
    setImmediate(() => this.#fromGuest--)
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
