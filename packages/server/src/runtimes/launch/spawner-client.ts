import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { CoherexError } from '@coherex/contract'
import { encodeFrame, FrameDecoder } from '../protocol/index.ts'
import { inheritableDescriptors } from './inheritable-descriptors.ts'
import { greetingBytes, type LaunchOrder, type SpawnerReport, streamsPerSandbox } from './spawner-messages.ts'
import type { Exit } from './supervise-sandbox.ts'

export interface Spawned {
  pid: number
  /** Host pid of the sandbox's first process, whose end is the end of all in it. */
  innerPid: number
  stdin: Socket
  stdout: Socket
  stderr: Socket
  channel: Socket
  exited: Promise<Exit>
}

interface Waiting {
  started(pids: { pid: number; innerPid: number }): void
  failed(reason: string): void
  exited(exit: Exit): void
}

const socketName = 'socket'

/** Starts processes through the spawner, which is started when needed and again should it die. */
export class SpawnerClient {
  readonly #directory: string
  #directoryDescriptor: number | undefined
  readonly #script: string
  readonly #waiting = new Map<number, Waiting>()
  #process: ChildProcess | undefined
  #listening: Promise<void> | undefined
  #lastId = 0
  #isClosed = false

  constructor({ directory, script }: { directory: string; script: string }) {
    this.#directory = directory
    this.#script = script
  }

  async spawn(order: Omit<LaunchOrder, 'id'>): Promise<Spawned> {
    const control = await this.#connect()
    const id = ++this.#lastId
    let exited = (_: Exit) => {}
    const exit = new Promise<Exit>((resolve) => (exited = resolve))
    const streams = Array.from({ length: streamsPerSandbox }, (_, index) => this.#open(id, index))
    try {
      const pids = await new Promise<{ pid: number; innerPid: number }>((started, reject) => {
        this.#waiting.set(id, { started, exited, failed: (reason) => reject(new Error(reason)) })
        for (const stream of streams) stream.once('error', reject)
        control.write(encodeFrame({ id, ...order } satisfies LaunchOrder))
      })
      const [stdin, stdout, stderr, channel] = streams as [Socket, Socket, Socket, Socket]
      return { ...pids, stdin, stdout, stderr, channel, exited: exit }
    } catch (cause) {
      this.#waiting.delete(id)
      const said = await readWhatIsThere(streams[2])
      for (const stream of streams) stream.destroy()
      const reason = said || (cause instanceof Error ? cause.message : String(cause))
      throw new CoherexError('unavailable', 'Cannot start a sandbox: its namespaces could not be made', {
        cause: new Error(reason),
      })
    }
  }

  /** Where a process that was spawned can listen for the server alone. */
  socketPath(name: string): string {
    return join(this.#directory, name)
  }

  connectTo(name: string): Socket {
    // an address holds 107 bytes, and the way to the directory may be longer
    const socket = connect({ path: `/proc/self/fd/${this.#directoryDescriptor}/${name}`, allowHalfOpen: false })
    // a sandbox that dies breaks its pipes: its end is told by `exited`, not by these
    socket.on('error', () => {})
    return socket
  }

  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#directoryDescriptor !== undefined) closeSync(this.#directoryDescriptor)
    this.#directoryDescriptor = undefined
    const process = this.#process
    if (!process || process.exitCode !== null || process.signalCode !== null) return
    await new Promise<void>((resolve) => {
      process.once('exit', () => resolve())
      process.kill('SIGKILL')
    })
  }

  async #connect(): Promise<Duplex> {
    if (this.#isClosed) throw new CoherexError('unavailable', 'Cannot start a sandbox: the launcher is closed')
    this.#listening ??= this.#start()
    await this.#listening
    return this.#process?.stdio[3] as Duplex
  }

  #start(): Promise<void> {
    rmSync(join(this.#directory, socketName), { force: true })
    this.#directoryDescriptor ??= openSync(this.#directory, 'r')
    const [command = '', ...args] = [...closeFirst(), process.execPath, '--no-warnings', this.#script, socketName]
    const spawner = spawn(command, args, {
      env: {},
      // it listens on a relative path: that is all a guest learns of its sockets' address
      cwd: this.#directory,
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    })
    this.#process = spawner
    const control = spawner.stdio[3] as Duplex
    const decoder = new FrameDecoder()
    control.on('error', () => {})
    return new Promise<void>((resolve, reject) => {
      control.on('data', (chunk: Buffer) => {
        for (const message of decoder.push(chunk)) {
          const report = message as SpawnerReport
          if (report.type === 'listening') resolve()
          else this.#take(report)
        }
      })
      const lost = () => {
        if (this.#process === spawner) this.#listening = undefined
        reject(new CoherexError('unavailable', 'Cannot start a sandbox: the process that starts them died'))
        // its sandboxes asked the kernel to die with it
        for (const [id, waiting] of this.#waiting) {
          this.#waiting.delete(id)
          waiting.failed('the process that starts sandboxes died')
          waiting.exited({ code: null, signal: 'SIGKILL', isLost: true })
        }
      }
      spawner.once('exit', lost)
      spawner.once('error', lost)
    })
  }

  #take(report: Exclude<SpawnerReport, { type: 'listening' }>): void {
    const waiting = this.#waiting.get(report.id)
    if (report.type === 'started') return waiting?.started(report)
    this.#waiting.delete(report.id)
    if (report.type === 'failed') waiting?.failed(report.reason)
    else waiting?.exited(report)
  }

  #open(id: number, index: number): Socket {
    const greeting = Buffer.alloc(greetingBytes)
    greeting.writeUInt32BE(id, 0)
    greeting.writeUInt32BE(index, 4)
    const socket = this.connectTo(socketName)
    socket.write(greeting)
    return socket
  }
}

// only bash can close descriptors above 9; without stray ones the step is left out
function closeFirst(): string[] {
  const closing = inheritableDescriptors().map((descriptor) => `${descriptor}>&-`)
  if (closing.length === 0) return []
  return ['/bin/bash', '--norc', '--noprofile', '-c', `exec ${closing.join(' ')}; exec "$@"`, 'bash']
}

function readWhatIsThere(stream: Socket | undefined): Promise<string> {
  return new Promise((resolve) => {
    if (!stream || stream.destroyed) return resolve('')
    let text = ''
    const timer = setTimeout(() => resolve(text), 1_000)
    const settle = () => {
      clearTimeout(timer)
      resolve(text.trim())
    }
    stream.on('data', (chunk: Buffer) => (text += chunk.toString('utf8').slice(0, 2000)))
    stream.once('close', settle)
    stream.once('end', settle)
  })
}
