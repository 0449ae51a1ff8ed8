// A process of its own: starting a child from the server would copy the server's page tables, 10 ms and more in which it
// answers nobody. This one is small, holds no secret, and its sandboxes die with it. Started with the path to listen on.
import { spawn, type StdioOptions } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { createServer, Socket } from 'node:net'
import type { Readable, Writable } from 'node:stream'
import { encodeFrame, FrameDecoder } from '../protocol/frame.ts'
import { greetingBytes, type LaunchOrder, type SpawnerReport, streamsPerSandbox } from './spawner-messages.ts'

const patienceMs = 10_000
const socketPath = process.argv[2] ?? ''
const control = new Socket({ fd: 3, readable: true, writable: true })
const streams = new Map<number, Socket[]>()
const orders = new Map<number, LaunchOrder>()
const decoder = new FrameDecoder()
/** What was started and has not ended, with what ends it. */
const living = new Map<number, () => void>()
let isLeaving = false

const tell = (report: SpawnerReport) => void control.write(encodeFrame(report))

control.on('data', (chunk: Buffer) => {
  for (const message of decoder.push(chunk)) {
    const order = message as LaunchOrder
    orders.set(order.id, order)
    tryStart(order.id)
  }
})
// the server is gone
control.on('close', leave)
control.on('error', leave)

const server = createServer({ allowHalfOpen: true }, (socket) => {
  socket.on('error', () => {})
  const greet = () => {
    const greeting = socket.read(greetingBytes) as Buffer | null
    if (!greeting) return
    socket.removeListener('readable', greet)
    const id = greeting.readUInt32BE(0)
    const held = streams.get(id) ?? []
    held[greeting.readUInt32BE(4)] = socket
    streams.set(id, held)
    tryStart(id)
  }
  socket.on('readable', greet)
})
server.listen(socketPath, () => tell({ type: 'listening' }))

function tryStart(id: number): void {
  const order = orders.get(id)
  const held = streams.get(id)
  if (isLeaving || !order || !held || held.filter(Boolean).length < streamsPerSandbox) return
  orders.delete(id)
  streams.delete(id)
  start(order, held)
}

function start({ id, command, user, cgroupFiles }: LaunchOrder, held: Socket[]): void {
  const [file = '', ...args] = command
  // a session of its own: no controlling terminal, and a Ctrl-C meant for the server stops here
  const child = spawn(file, args, { ...user, env: {}, cwd: '/', detached: true, stdio: descriptors(held) })
  // the server sends nothing before `started`, so nothing of its was read here
  for (const socket of held) socket.destroy()
  const [gate, report] = child.stdio.slice(streamsPerSandbox, streamsPerSandbox + 2) as [Writable, Readable]
  for (const stream of [gate, report]) stream?.on('error', () => {})

  let innerPid = 0
  child.once('error', () => tell({ type: 'failed', id, reason: `${file} could not be started` }))
  if (child.pid === undefined) return
  const { pid } = child
  const end = () => {
    if (innerPid === 0) return
    // the first of a namespace takes all others in it along
    for (const one of [innerPid, pid]) kill(one)
  }
  living.set(id, end)
  child.once('exit', (code, signal) => {
    living.delete(id)
    if (isLeaving && living.size === 0) process.exit(0)
    const tellEnd = () => {
      if (innerPid) tell({ type: 'exit', id, code, signal })
      else tell({ type: 'failed', id, reason: `it ended with ${signal ?? code} before it was set up` })
    }
    // of a program that ends at once, the end may be heard before what was reported of its start
    if (report.closed) tellEnd()
    else report.once('close', tellEnd)
  })

  Promise.all(cgroupFiles.map((cgroupFile) => writeFile(cgroupFile, String(pid)))).then(
    () => gate.end('go\n'),
    // never past the gate without limits; the exit is told as a failure
    () => child.kill('SIGKILL'),
  )

  let text = ''
  report.on('data', (chunk: Buffer) => {
    text += chunk.toString('utf8')
    const told = /"child-pid": (\d+)/.exec(text)?.[1]
    if (!told || innerPid) return
    innerPid = Number(told)
    if (isLeaving) return end()
    tell({ type: 'started', id, pid, innerPid })
  })
}

/**
 * Ends every sandbox, and itself with the last one. They would die with this process, but only from the moment on when they have
 * asked the kernel for it: what is still being prepared is waited for.
 */
function leave(): void {
  if (isLeaving) return
  isLeaving = true
  if (living.size === 0) process.exit(0)
  for (const end of living.values()) end()
  setTimeout(() => process.exit(0), patienceMs)
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // gone already
  }
}

/**
 * The channel is passed as 0 too: libuv makes only the first three descriptors blocking again, and what is set for one is set
 * for both. enter.sh puts 6 in its place.
 */
function descriptors([stdin, stdout, stderr, channel]: Socket[]): StdioOptions {
  return [channel, stdout, stderr, channel, 'pipe', 'pipe', stdin]
}
