import { Buffer } from 'node:buffer'
import { readSync } from 'node:fs'
import { Socket } from 'node:net'
import process from 'node:process'
import { StringDecoder } from 'node:string_decoder'
import type { GuestStream } from '../../../../protocol/messages.ts'
import { send } from '../../node/channel.ts'
import { takeConsole } from '../../node/console.ts'

// what comes between cells is held for the next
const heldBytes = 64 * 1024
const pieceCharacters = 1 << 20
/** The reading ends of the pipes behind descriptors 1 and 2, see start.sh. */
const pipes = { stdout: 4, stderr: 5 } as const

let left = heldBytes
let isCut = false
let isBetween = true
const held: { stream: GuestStream; text: string }[] = []

export function beginOutput(limitBytes: number): void {
  drain()
  left = limitBytes
  isCut = false
  isBetween = false
  for (const { stream, text } of held.splice(0)) write(stream, text)
}

/** Sends what is left of the cell; tells whether something was cut. */
export function endOutput(): boolean {
  drain()
  const wasCut = isCut
  left = heldBytes
  isCut = false
  isBetween = true
  return wasCut
}

export function write(stream: GuestStream, given: string): void {
  // a console call that prints an empty line is output; a stream's write of nothing is not
  if (isCut || (given === '' && (stream === 'stdout' || stream === 'stderr'))) return
  let text = given.toWellFormed()
  const size = Buffer.byteLength(text)
  if (size > left) {
    // one character more than allowed tells the host that something was cut
    text = `${new TextDecoder().decode(Buffer.from(text).subarray(0, left), { stream: true })}…`
    isCut = true
  }
  left -= Math.min(size, left)
  if (isBetween) return void held.push({ stream, text })
  let at = 0
  do {
    send({ type: 'output', stream, text: text.slice(at, at + pieceCharacters) })
    at += pieceCharacters
  } while (at < text.length)
}

export function show(data: Record<string, unknown>): void {
  if (isCut || isBetween) return
  drain()
  const size = Buffer.byteLength(JSON.stringify(data))
  if (size > left) {
    isCut = true
    return send({ type: 'cut' })
  }
  left -= size
  send({ type: 'display', data })
}

/** All that is written goes one way, so that it stays in order; the levels of the console are streams of their own. */
export function takeOutput(): void {
  takeConsole((stream, text) => {
    drain()
    write(stream, text)
  })
  for (const stream of ['stdout', 'stderr'] as const) {
    const decoder = new StringDecoder('utf8')
    process[stream].write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
      drain()
      write(stream, typeof chunk === 'string' ? chunk : decoder.write(Buffer.from(chunk)))
      const callback = rest.find((one) => typeof one === 'function')
      if (callback) process.nextTick(callback as () => void)
      return true
    }
    const pipe = new Socket({ fd: pipes[stream], readable: true, writable: false })
    pipe.on('data', (chunk: Buffer) => write(stream, decoders[stream].write(chunk)))
    pipe.on('error', () => {})
  }
}

const decoders = { stdout: new StringDecoder('utf8'), stderr: new StringDecoder('utf8') }
const buffer = Buffer.allocUnsafe(64 * 1024)

/** What child processes and native code have written so far. */
function drain(): void {
  for (const stream of ['stdout', 'stderr'] as const) {
    try {
      for (let size = readSync(pipes[stream], buffer); size > 0; size = readSync(pipes[stream], buffer)) {
        write(stream, decoders[stream].write(buffer.subarray(0, size)))
      }
    } catch {
      // nothing there
    }
  }
}
