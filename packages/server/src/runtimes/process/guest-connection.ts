import { refuseJson } from '../../base/index.ts'
import type { Launched } from '../launch/index.ts'
import {
  encodeFrame,
  FrameDecoder,
  type GuestMessage,
  type HostMessage,
  maxFrameBytes,
  readGuestMessage,
} from '../protocol/index.ts'

/** To a driver whose Python program is yet to come: its packages, and what to import of them. Answered by `ready`, or an error. */
export interface LoadMessage {
  type: 'load'
  /** At their place inside. */
  set?: { language: string; path: string; modules: readonly string[] }
  modules: string[]
  /** A file among those sent before, to be loaded as the module `tool`. */
  module?: string
}

export interface GuestListener {
  onMessage(message: GuestMessage): void
  /** The guest sent what is no message; nothing after it is read. */
  onBroken(reason: string): void
  /** No more messages will come. */
  onClosed(): void
}

// a pipe that is filled as fast as it is read would be read for dozens of chunks in one turn of the server
const turnMs = 10

/** The host's end of the pipe to one sandbox. Reads no further while the guest does not take what it asked for. */
export class GuestConnection {
  readonly #channel: Launched['channel']
  readonly #decoder = new FrameDecoder(maxFrameBytes, refuseJson)
  #listener: GuestListener | undefined
  /** Since others last had a turn. */
  #spentMs = 0

  constructor(launched: Launched) {
    this.#channel = launched.channel
    this.#channel.read.on('data', (chunk: Buffer) => this.#read(chunk))
    this.#channel.read.once('close', () => this.#listener?.onClosed())
    this.#channel.write.on('drain', () => this.#channel.read.resume())
  }

  listen(listener: GuestListener | undefined): void {
    this.#listener = listener
  }

  /** `onTaken` hears when the message has left the server, however that went. */
  send(message: HostMessage | LoadMessage, onTaken: () => void = () => {}): void {
    if (!this.#channel.write.writable) return onTaken()
    // a guest that calls without reading the answers must not fill the server's memory
    if (!this.#channel.write.write(encodeFrame(message), () => onTaken())) this.#channel.read.pause()
  }

  #read(chunk: Buffer): void {
    const began = performance.now()
    try {
      for (const frame of this.#decoder.push(chunk)) {
        const message = readGuestMessage(frame)
        if (!message) return this.#break('a frame is no known message')
        this.#listener?.onMessage(message)
      }
    } catch (error) {
      return this.#break(error instanceof Error ? error.message : String(error))
    }
    this.#spentMs += performance.now() - began
    if (this.#spentMs > turnMs) this.#letOthers()
  }

  #letOthers(): void {
    this.#spentMs = 0
    this.#channel.read.pause()
    setImmediate(() => {
      // the guest may have to take its answers first
      if (!this.#channel.write.writableNeedDrain) this.#channel.read.resume()
    })
  }

  #break(reason: string): void {
    this.#channel.read.removeAllListeners('data')
    this.#channel.read.resume()
    this.#listener?.onBroken(reason)
    this.#listener = undefined
  }
}
