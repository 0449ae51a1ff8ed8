import { Duplex } from 'node:stream'
import { ProtocolError } from '../../protocol/frame.ts'
import { type FrameType, frameTypes, maxPayloadBytes, windowBytes } from './stream-frame.ts'

/** What a stream needs of the link that carries it. */
export interface StreamLink {
  send(type: FrameType, stream: number, payload?: Buffer): void
  /** Calls back when the guest takes data again; at once while it does. */
  whenFree(callback: () => void): void
  forget(stream: number): void
}

/** One connection of the sandbox. Neither side holds more of it than a window, however slow the other is. */
export class GuestStream extends Duplex {
  readonly #id: number
  readonly #link: StreamLink
  #mayStillSend = windowBytes
  #received = 0
  #granted = 0
  #waiting: { chunk: Buffer; done: () => void } | undefined
  #hasSentEnd = false
  #hasReceivedEnd = false
  #isGone = false

  constructor(id: number, link: StreamLink) {
    super({ allowHalfOpen: true, readableHighWaterMark: maxPayloadBytes / 2, writableHighWaterMark: maxPayloadBytes })
    this.#id = id
    this.#link = link
  }

  /** Data of the guest; throws when it is more than was granted. */
  receive(payload: Buffer): void {
    if (this.#hasReceivedEnd) throw new ProtocolError('Broken stream link: data after the end')
    this.#received += payload.length
    if (this.#received - this.#granted > windowBytes)
      throw new ProtocolError('Broken stream link: more data than granted')
    this.push(payload)
  }

  receiveEnd(): void {
    if (this.#hasReceivedEnd) return
    this.#hasReceivedEnd = true
    this.push(null)
  }

  receiveReset(): void {
    this.#isGone = true
    this.destroy()
  }

  receiveCredit(bytes: number): void {
    this.#mayStillSend += bytes
    if (this.#mayStillSend > windowBytes) throw new ProtocolError('Broken stream link: more credit than was used')
    this.#pump()
  }

  override _read(): void {
    const taken = this.#received - this.readableLength - this.#granted
    // a frame for each small piece would cost more than it carries
    if (taken < windowBytes / 4 || this.#hasReceivedEnd) return
    this.#granted += taken
    const payload = Buffer.allocUnsafe(4)
    payload.writeUInt32BE(taken, 0)
    this.#link.send(frameTypes.credit, this.#id, payload)
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    this.#waiting = { chunk, done }
    this.#pump()
  }

  override _final(done: () => void): void {
    this.#hasSentEnd = true
    this.#link.send(frameTypes.end, this.#id)
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (!this.#isGone && !(this.#hasSentEnd && this.#hasReceivedEnd)) this.#link.send(frameTypes.reset, this.#id)
    this.#isGone = true
    this.#waiting = undefined
    this.#link.forget(this.#id)
    done(error)
  }

  #pump(): void {
    while (this.#waiting && this.#mayStillSend > 0) {
      const { chunk, done } = this.#waiting
      const piece = chunk.subarray(0, Math.min(chunk.length, this.#mayStillSend, maxPayloadBytes))
      if (piece.length > 0) this.#link.send(frameTypes.data, this.#id, piece)
      this.#mayStillSend -= piece.length
      if (piece.length < chunk.length) {
        this.#waiting = { chunk: chunk.subarray(piece.length), done }
      } else {
        this.#waiting = undefined
        this.#link.whenFree(done)
      }
    }
  }
}
