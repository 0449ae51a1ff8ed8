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

export interface GuestListener {
  onMessage(message: GuestMessage): void
  /** The guest sent what is no message; nothing after it is read. */
  onBroken(reason: string): void
  /** No more messages will come. */
  onClosed(): void
}

/** The host's end of the pipe to one sandbox. Reads no further while the guest does not take what it asked for. */
export class GuestConnection {
  readonly #channel: Launched['channel']
  readonly #decoder = new FrameDecoder(maxFrameBytes, refuseJson)
  #listener: GuestListener | undefined

  constructor(launched: Launched) {
    this.#channel = launched.channel
    this.#channel.read.on('data', (chunk: Buffer) => this.#read(chunk))
    this.#channel.read.once('close', () => this.#listener?.onClosed())
    this.#channel.write.on('drain', () => this.#channel.read.resume())
  }

  listen(listener: GuestListener | undefined): void {
    this.#listener = listener
  }

  send(message: HostMessage): void {
    if (!this.#channel.write.writable) return
    // a guest that calls without reading the answers must not fill the server's memory
    if (!this.#channel.write.write(encodeFrame(message))) this.#channel.read.pause()
  }

  #read(chunk: Buffer): void {
    try {
      for (const frame of this.#decoder.push(chunk)) {
        const message = readGuestMessage(frame)
        if (!message) return this.#break('a frame is no known message')
        this.#listener?.onMessage(message)
      }
    } catch (error) {
      this.#break(error instanceof Error ? error.message : String(error))
    }
  }

  #break(reason: string): void {
    this.#channel.read.removeAllListeners('data')
    this.#channel.read.resume()
    this.#listener?.onBroken(reason)
    this.#listener = undefined
  }
}
