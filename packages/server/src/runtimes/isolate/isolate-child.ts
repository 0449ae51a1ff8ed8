import { readFileSync } from 'node:fs'
import { refuseJson } from '../../base/index.ts'
import type { Ending, Launched, Launcher } from '../launch/index.ts'
import { encodeFrame, FrameDecoder, type GuestMessage, maxFrameBytes, readGuestMessage } from '../protocol/index.ts'
import type { App } from './build-app.ts'
import { bundleDirectory, type ToChild } from './messages.ts'

export interface ChildOptions {
  launcher: Launcher
  app: App
  bundles: string
  /** The most memory a run in this child may be given. */
  maxMemoryMb: number
}

/** What Node, V8's helpers and a young heap take beside the guest's own memory. */
const overheadMb = 160

const startMs = 20_000

// more than fifty honest calls leave: who prints a lot before it reads would wait for itself if it were not heard meanwhile
const mostUnread = { messages: 100, bytes: 12 * maxFrameBytes }

/** A Node process in a sandbox that gives each run a fresh isolate, one after the other, for one trust domain. */
export class IsolateChild {
  readonly ended: Promise<Ending>
  /** Guests of this domain have been in the process; undefined while it is new. */
  domain: string | undefined
  runs = 0
  /** Its next isolate is already made. */
  isReady = false
  /** It was there before the run that it has now came. */
  isWarm = false
  lastUsed = 0
  /** When its present run took it. */
  takenAt = 0
  /** Runs since another child was served. */
  streak = 0
  isDead = false
  /** The key of the program that it may have kept an isolate for, the last one. */
  lastKey: string | undefined
  readonly #launched: Launched
  readonly #decoder = new FrameDecoder(maxFrameBytes, refuseJson)
  #listen: ((message: GuestMessage | undefined) => void) | undefined
  #memoryMb = 0
  #baseline = 0
  #nodePid: number | undefined
  #unread = 0
  #stderr = ''

  private constructor(launched: Launched, onReady: () => void) {
    this.#launched = launched
    this.ended = launched.ended.then((ending) => {
      this.isDead = true
      return ending
    })
    launched.channel.read.on('data', (chunk: Buffer) => this.#receive(chunk, onReady))
    // a pipe that nobody reads would never be closed
    void launched.ended.then(() => launched.channel.read.resume())
    launched.stdout.resume()
    launched.stderr.on('data', (chunk: Buffer) => (this.#stderr = (this.#stderr + chunk.toString('utf8')).slice(-2000)))
  }

  static async launch({ launcher, app, bundles, maxMemoryMb }: ChildOptions): Promise<IsolateChild> {
    const launched = await launcher.launch({
      argv: app.argv,
      binds: [...app.binds, { host: bundles, guest: bundleDirectory }],
      env: { UV_THREADPOOL_SIZE: '1' },
      home: '/home/guest',
      readOnly: true,
      // threads count as processes; node has about a dozen
      limits: { memoryMb: maxMemoryMb + overheadMb, processes: 64, openFiles: 128, diskMb: 1, inodes: 16 },
      seccomp: 'isolate',
    })
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => void child.kill(), startMs)
      const child = new IsolateChild(launched, () => {
        clearTimeout(timer)
        resolve(child)
      })
      void child.ended.then(() => {
        clearTimeout(timer)
        // anybody may hear why there is no runtime; what the process said last is for the log
        const cause = new Error(child.#stderr.slice(0, 500))
        reject(new Error('An isolate child ended before it was ready', { cause }))
      })
    })
  }

  #receive(chunk: Buffer, onReady: () => void): void {
    try {
      for (const raw of this.#decoder.push(chunk)) {
        const message = readGuestMessage(raw)
        if (message?.type === 'ready') {
          this.isReady = true
          onReady()
        } else this.#listen?.(message)
      }
    } catch {
      // broken frames: the run is told by a message that is none, and ends the child
      this.#listen?.(undefined)
      if (!this.#listen) void this.kill()
    }
  }

  /** Hands each message to the run; undefined is one that is none. */
  listen(listen: ((message: GuestMessage | undefined) => void) | undefined): void {
    this.#listen = listen
  }

  /** `onTaken` hears when the message has left the server, however that went. */
  send(message: ToChild, onTaken: () => void = () => {}): void {
    if (this.isDead) return onTaken()
    const { read, write } = this.#launched.channel
    const frame = encodeFrame(message)
    this.#unread++
    write.write(frame, () => {
      if (--this.#unread === 0) read.resume()
      onTaken()
    })
    // what it asks for without taking it must not fill the server's memory: until it does, nothing of it is heard
    if (this.#unread > mostUnread.messages || write.writableLength > mostUnread.bytes) read.pause()
  }

  /** Bounds what the whole process may use while a guest has this much. */
  limitMemory(memoryMb: number): void {
    if (memoryMb === this.#memoryMb) return
    this.#memoryMb = memoryMb
    this.#launched.limit({ memoryMb: memoryMb + overheadMb, processes: 64 })
  }

  /** Bytes in use beyond what the empty process used. */
  memory(): number | undefined {
    const memory = this.#launched.memory()
    if (!memory) return undefined
    this.#baseline ||= memory.current
    return Math.max(0, memory.current - this.#baseline)
  }

  /** Milliseconds of CPU the process has used so far. */
  cpuMs(): number | undefined {
    this.#nodePid ??= innermost(this.#launched.pid)
    const stat = read(`/proc/${this.#nodePid}/stat`)
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const ticks = Number(fields[11]) + Number(fields[12])
    // USER_HZ is 100 on every Linux that Node runs on
    return Number.isFinite(ticks) ? ticks * 10 : undefined
  }

  /** What the process wrote to stderr last; empty unless something in it broke. */
  get lastWords(): string {
    return this.#stderr
  }

  async kill(): Promise<void> {
    this.isDead = true
    await this.#launched.kill()
  }
}

/** The program itself is the last in the chain of launcher processes. */
function innermost(pid: number): number {
  const child = Number(read(`/proc/${pid}/task/${pid}/children`).trim().split(' ').at(-1))
  return child > 0 ? innermost(child) : pid
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
