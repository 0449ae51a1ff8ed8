import { CoherexError } from '@coherex/contract'
import { refuseJson } from '../../../base/index.ts'
import type { Launched } from '../../launch/index.ts'
import { encodeFrame, FrameSplitter, ProtocolError } from '../../protocol/frame.ts'
import {
  dataHeaderBytes,
  dataMark,
  firstGuestStream,
  type FromKeeper,
  maxFrameBytes,
  type Question,
  readKeeperMessage,
  type ToKeeper,
} from './keeper-messages.ts'
import { KeeperStream, type StreamCarrier, type StreamShape } from './keeper-stream.ts'

/** What the keeper tells without being asked. */
export interface KeeperEvents {
  onReady(): void
  onExited(process: number, exit: { code: number | null; signal: number | null }): void
  onChanged(watch: number, changes: { path: string; change: 'written' | 'removed' }[]): void
  /** A connection to a listener inside. */
  onIncoming(listener: number, stream: KeeperStream): void
  /** It sent what is no message, or more than it may; nothing after it is read. */
  onBroken(reason: string): void
}

/** The keeper could not do what it was asked to; `code` is the kernel's word for why, if it is true. */
export class KeeperError extends Error {
  override readonly name = 'KeeperError'
  readonly code: string

  constructor(code: string) {
    super(`The sandbox said ${code}`)
    this.code = code
  }
}

interface Waiting {
  resolve(value: unknown): void
  reject(error: unknown): void
}

const maxGuestStreams = 512
// on a machine that is far too busy as well
const patienceMs = 60_000

/** The host's end of the pipe to a keeper: questions with answers, and streams. */
export class KeeperLink {
  readonly #channel: Launched['channel']
  readonly #splitter = new FrameSplitter(maxFrameBytes.fromKeeper)
  readonly #waiting = new Map<number, Waiting>()
  readonly #streams = new Map<number, KeeperStream>()
  readonly #carrier: StreamCarrier
  #events: KeeperEvents
  #lastId = 0
  #lastStream = 0
  #lastGuestStream = firstGuestStream
  #fromGuest = 0
  #isOver = false

  constructor(launched: Launched, events: KeeperEvents) {
    this.#events = events
    this.#channel = launched.channel
    this.#carrier = {
      send: (stream, data) => this.#write(encodeData(stream, data)),
      credit: (stream, bytes) => this.#tell({ type: 'credit', stream, bytes }),
      end: (stream) => this.#tell({ type: 'end', stream }),
      reset: (stream) => this.#tell({ type: 'reset', stream }),
    }
    this.#channel.read.on('data', (chunk: Buffer) => this.#read(chunk))
    this.#channel.read.once('close', () => this.close())
    this.#channel.write.on('drain', () => this.#channel.read.resume())
  }

  /** From here on somebody else hears; the pool hands a keeper over this way. */
  listen(events: KeeperEvents): void {
    this.#events = events
  }

  /** `streams` are closed should the keeper refuse. */
  ask(question: Question, streams: KeeperStream[] = []): Promise<unknown> {
    if (this.#isOver) return Promise.reject(hasEnded())
    const id = ++this.#lastId
    const numbers = streams.length > 0 && { streams: streams.map((stream) => stream.number) }
    return new Promise((resolve, reject) => {
      // an upload is answered at its end, everything else at once
      const timer =
        question.act === 'write' ? undefined : setTimeout(() => this.#break('it does not answer'), patienceMs).unref()
      const settled = () => clearTimeout(timer)
      this.#waiting.set(id, {
        resolve: (value) => (settled(), resolve(value)),
        reject: (error) => (settled(), reject(error)),
      })
      this.#tell({ type: 'ask', id, ...numbers, ...question })
    })
  }

  /** A stream that the next question names. */
  stream(shape?: StreamShape): KeeperStream {
    const stream = new KeeperStream(++this.#lastStream, this.#carrier, shape)
    if (!this.#isOver) this.#streams.set(stream.number, stream)
    return stream
  }

  /** Ends every stream and every wait. */
  close(): void {
    if (this.#isOver) return
    this.#isOver = true
    for (const stream of this.#streams.values()) stream.receiveClosed()
    this.#streams.clear()
    for (const waiting of this.#waiting.values()) waiting.reject(hasEnded())
    this.#waiting.clear()
  }

  #read(chunk: Buffer): void {
    try {
      for (const body of this.#splitter.push(chunk)) {
        if (this.#isOver) return
        if (body[0] === dataMark && body.length >= dataHeaderBytes) {
          this.#stream(body.readUInt32BE(1)).receive(body.subarray(dataHeaderBytes))
        } else this.#take(decode(body))
      }
    } catch (error) {
      this.#break(error instanceof Error ? error.message : String(error))
    }
  }

  #break(reason: string): void {
    this.#channel.read.removeAllListeners('data')
    this.#channel.read.resume()
    this.close()
    this.#events.onBroken(reason)
  }

  #take(message: FromKeeper): void {
    switch (message.type) {
      case 'ready':
        return this.#events.onReady()
      case 'told': {
        const waiting = this.#waiting.get(message.id)
        if (!waiting) throw new ProtocolError('Broken guest protocol: an answer to nothing')
        this.#waiting.delete(message.id)
        return 'error' in message ? waiting.reject(new KeeperError(message.error)) : waiting.resolve(message.value)
      }
      case 'credit':
        return this.#stream(message.stream).receiveCredit(message.bytes)
      case 'end':
        return this.#stream(message.stream).receiveEnd()
      case 'closed': {
        const stream = this.#stream(message.stream)
        this.#streams.delete(message.stream)
        if (message.stream > firstGuestStream) this.#fromGuest--
        return stream.receiveClosed()
      }
      case 'exited':
        return this.#events.onExited(message.process, message)
      case 'changed':
        return this.#events.onChanged(message.watch, message.changes)
      case 'incoming':
        return this.#accept(message.listener, message.stream)
    }
  }

  #accept(listener: number, number: number): void {
    if (number <= this.#lastGuestStream || number > 0xffffffff || ++this.#fromGuest > maxGuestStreams) {
      throw new ProtocolError('Broken guest protocol: a stream that cannot begin')
    }
    this.#lastGuestStream = number
    const stream = new KeeperStream(number, this.#carrier, { endsTogether: true })
    this.#streams.set(number, stream)
    this.#events.onIncoming(listener, stream)
  }

  #stream(number: number): KeeperStream {
    const stream = this.#streams.get(number)
    // one that the host reset stays here until the keeper has closed it
    if (!stream) throw new ProtocolError('Broken guest protocol: a stream that is not there')
    return stream
  }

  #tell(message: ToKeeper): void {
    this.#write(encodeFrame(message, maxFrameBytes.toKeeper))
  }

  #write(frame: Buffer): void {
    if (this.#isOver || !this.#channel.write.writable) return
    // a guest that asks without reading the answers must not fill the server's memory
    if (!this.#channel.write.write(frame)) this.#channel.read.pause()
  }
}

function decode(body: Buffer): FromKeeper {
  const refusal = refuseJson(body)
  if (refusal !== undefined) throw new ProtocolError(`Broken guest protocol: a frame cannot be read: ${refusal}`)
  let message: unknown
  try {
    message = JSON.parse(body.toString('utf8'))
  } catch {
    throw new ProtocolError('Broken guest protocol: a frame is not JSON')
  }
  const read = readKeeperMessage(message)
  if (!read) throw new ProtocolError('Broken guest protocol: a frame is no known message')
  return read
}

function encodeData(stream: number, data: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(4 + dataHeaderBytes + data.length)
  frame.writeUInt32BE(dataHeaderBytes + data.length, 0)
  frame.writeUInt8(dataMark, 4)
  frame.writeUInt32BE(stream, 5)
  frame.set(data, 4 + dataHeaderBytes)
  return frame
}

function hasEnded(): CoherexError {
  return new CoherexError('unavailable', 'The sandbox has ended')
}
