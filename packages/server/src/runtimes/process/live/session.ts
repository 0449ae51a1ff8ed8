import { CoherexError, type Language } from '@coherex/contract'
import { refuseJson } from '../../../base/index.ts'
import { encodeFrame, FrameDecoder, maxFrameBytes } from '../../protocol/frame.ts'
import type { FromSession, ToSession } from '../../protocol/session-messages.ts'
import type { KeeperLink } from './keeper-link.ts'
import type { Exit, KeeperProcesses, StartedProcess } from './keeper-processes.ts'
import type { KeeperStream } from './keeper-stream.ts'
import { paceOutput } from './pace-output.ts'
import { readSessionMessage } from './read-session-message.ts'

export interface SessionListener {
  onMessage(message: FromSession): void
  /** The session sent what is no message; it is being ended. */
  onBroken(reason: string): void
}

const patienceMs = 30_000
// what threads of an idle session print is dropped; past this the session is not an honest one
const strayBytes = 8 * 1024 * 1024
const complaintBytes = 4_000

/** One interpreter that keeps its state. What it says is a guest's word. */
export class Session {
  readonly language: Language
  /** Resolves when its process is gone. */
  readonly ended: Promise<Exit>
  readonly #process: StartedProcess
  readonly #stream: KeeperStream
  readonly #decoder = new FrameDecoder(maxFrameBytes, refuseJson)
  #listener: SessionListener | undefined
  #stray = 0
  #complaint = ''
  #isGone = false

  private constructor(language: Language, process: StartedProcess, stream: KeeperStream, output: KeeperStream) {
    this.language = language
    this.#process = process
    this.#stream = stream
    this.ended = process.exited.then((exit) => {
      this.#isGone = true
      return exit
    })
    stream.on('data', (chunk: Buffer) => this.#read(chunk))
    stream.on('drain', () => stream.resume())
    // the driver takes its own streams away from here; what still comes is why it could not start
    void paceOutput(output, (chunk) => {
      if (this.#complaint.length < complaintBytes) this.#complaint += chunk.toString('utf8')
    })
  }

  /** Starts the interpreter; `ready()` waits for it. */
  static async start(options: {
    link: KeeperLink
    processes: KeeperProcesses
    language: Language
    command: readonly string[]
  }): Promise<Session> {
    const { link, processes, language, command } = options
    const streams = [link.stream(), link.stream({ isWritable: false })] as const
    const order = { argv: [...command], env: {}, cwd: '', stdio: 'session' as const }
    const process = await processes.start(order, [...streams])
    return new Session(language, process, ...streams)
  }

  get isGone(): boolean {
    return this.#isGone
  }

  /** Begins it, and waits until it takes cells. */
  async begin(env: Record<string, string>): Promise<void> {
    const isReady = await new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => resolve(false), patienceMs)
      const settle = (ready: boolean) => {
        clearTimeout(timer)
        resolve(ready)
      }
      this.listen({ onMessage: (message) => message.type === 'ready' && settle(true), onBroken: () => settle(false) })
      void this.ended.then(() => settle(false))
      this.send({ type: 'begin', language: this.language, env })
    })
    this.listen(undefined)
    if (isReady) return
    this.kill()
    throw new CoherexError('unavailable', `Cannot start a ${this.language} session: its driver did not come up`, {
      cause: new Error(this.#complaint.trim().slice(0, complaintBytes) || 'no message'),
    })
  }

  listen(listener: SessionListener | undefined): void {
    this.#listener = listener
    this.#stray = 0
  }

  /** `onTaken` hears when the message has left the server, however that went. */
  send(message: ToSession, onTaken: () => void = () => {}): void {
    const frame = encodeFrame(message)
    // a session that calls without reading the answers must not fill the server's memory
    if (!this.#stream.write(frame, () => onTaken())) this.#stream.pause()
  }

  interrupt(): void {
    this.#process.signal('SIGINT')
  }

  kill(): void {
    this.#process.killWhole()
  }

  #read(chunk: Buffer): void {
    try {
      for (const frame of this.#decoder.push(chunk)) {
        const message = readSessionMessage(frame)
        if (!message) return this.#break('a frame is no known message')
        if (this.#listener) this.#listener.onMessage(message)
        else this.#takeStray(message, chunk.length)
      }
    } catch (error) {
      this.#break(error instanceof Error ? error.message : String(error))
    }
  }

  #takeStray(message: FromSession, bytes: number): void {
    // a call from outside of a cell holds no capability; it must not wait for ever
    if (message.type === 'call') {
      const error = { code: 'NOT_GRANTED', message: `${message.capability.slice(0, 100)} can be called during a cell` }
      this.send({ type: 'answer', id: message.id, error })
    }
    this.#stray += bytes
    if (this.#stray > strayBytes) this.kill()
  }

  #break(reason: string): void {
    this.#stream.removeAllListeners('data')
    this.#stream.resume()
    this.kill()
    this.#listener?.onBroken(reason)
    this.#listener = undefined
  }
}
