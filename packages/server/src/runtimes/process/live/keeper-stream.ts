import { Duplex } from 'node:stream'
import { ProtocolError } from '../../protocol/frame.ts'
import { pieceBytes, windowBytes } from './keeper-messages.ts'

/** What a stream needs of the link that carries it. */
export interface StreamCarrier {
  send(stream: number, data: Uint8Array): void
  credit(stream: number, bytes: number): void
  end(stream: number): void
  reset(stream: number): void
}

export interface StreamShape {
  isReadable?: boolean
  isWritable?: boolean
  /** Ends what goes in when what comes out has ended, as a socket does. */
  endsTogether?: boolean
}

/** Bytes to and from something inside. Neither side holds more of them than a window, however slow the other is. */
export class KeeperStream extends Duplex {
  readonly number: number
  readonly #carrier: StreamCarrier
  #maySend = windowBytes
  #mayCome = windowBytes
  #owed = 0
  #waiting: { rest: Buffer; done: () => void } | undefined
  #hasEnded = false
  /** Nothing is left of it inside. */
  #isClosed = false

  constructor(number: number, carrier: StreamCarrier, shape: StreamShape = {}) {
    const { isReadable = true, isWritable = true, endsTogether = false } = shape
    // the types of Node leave out `readable` and `writable`, its documentation does not
    const sides = { readable: isReadable, writable: isWritable }
    super({
      ...sides,
      allowHalfOpen: !endsTogether,
      readableHighWaterMark: pieceBytes,
      writableHighWaterMark: pieceBytes,
    })
    this.number = number
    this.#carrier = carrier
    this.#hasEnded = !isReadable
    // whoever gave it away hears of errors by the end of the data
    this.on('error', () => {})
  }

  /** Data of the guest; throws when it is more than was granted. */
  receive(data: Buffer): void {
    if (this.#hasEnded || data.length === 0 || data.length > this.#mayCome) {
      throw new ProtocolError('Broken guest protocol: a stream brings more than was granted')
    }
    this.#mayCome -= data.length
    this.#owed += data.length
    if (this.destroyed || this.push(data)) this.#grant()
  }

  receiveCredit(bytes: number): void {
    this.#maySend += bytes
    if (this.#maySend > windowBytes) {
      throw new ProtocolError('Broken guest protocol: a stream was granted more than it used')
    }
    this.#proceed()
  }

  receiveEnd(): void {
    if (this.#hasEnded) throw new ProtocolError('Broken guest protocol: a stream ends twice')
    this.#hasEnded = true
    if (!this.destroyed) this.push(null)
  }

  /** Nothing of it is left inside: what was read so far can still be taken, what is written goes nowhere. */
  receiveClosed(): void {
    this.#isClosed = true
    if (!this.#hasEnded) this.receiveEnd()
    // what somebody still has to write is dropped, as into a pipe that nobody reads
    const waiting = this.#waiting
    this.#waiting = undefined
    waiting?.done()
  }

  override _read(): void {
    this.#grant()
  }

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    if (this.#isClosed) return done()
    this.#waiting = { rest: chunk, done }
    this.#proceed()
  }

  override _final(done: () => void): void {
    if (!this.#isClosed) this.#carrier.end(this.number)
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    if (!this.#isClosed) this.#carrier.reset(this.number)
    this.#waiting = undefined
    done(error)
  }

  #proceed(): void {
    while (this.#waiting && this.#maySend > 0) {
      const { rest, done } = this.#waiting
      const piece = rest.subarray(0, Math.min(this.#maySend, pieceBytes))
      this.#maySend -= piece.length
      this.#carrier.send(this.number, piece)
      if (piece.length < rest.length) this.#waiting = { rest: rest.subarray(piece.length), done }
      else {
        this.#waiting = undefined
        done()
      }
    }
  }

  #grant(): void {
    // a message for each small piece would cost more than it carries
    if (this.#owed < windowBytes / 4 || this.#isClosed) return
    this.#mayCome += this.#owed
    this.#carrier.credit(this.number, this.#owed)
    this.#owed = 0
  }
}
