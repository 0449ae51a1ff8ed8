// The program inside the sandbox: takes one run at a time from descriptor 3 and gives each a fresh isolate, or a fresh context of one
// that was kept for programs of its key.
import { readFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { FrameDecoder } from '../../protocol/frame.ts'
import { doneCodes, guestStackKb, type IsolateStart, type ToChild } from '../messages.ts'
import { createKeptIsolates, type CompiledScripts } from './kept-isolates.ts'
import { createOutbox } from './outbox.ts'
import { createPreparation } from './prepare-program.ts'
import { type Conversation, runProgram } from './run-program.ts'
import { createIsolateMaker, type WarmIsolate } from './warm-isolate.ts'

const defaultMemoryMb = 128
const channelDescriptor = 3

const [directory = ''] = process.argv.slice(2)
const source = (name: string) => readFileSync(`${directory}/${name}.js`, 'utf8')
const channel = new Socket({ fd: channelDescriptor, readable: true, writable: true })
const decoder = new FrameDecoder()
// for isolates made from here on; the one that this runs in keeps what it was started with
setFlagsFromString(`--stack-size=${guestStackKb}`)
const isolates = createIsolateMaker({
  snapshot: readFileSync(`${directory}/core.snapshot`),
  parts: { console: source('console'), extras: source('extras') },
})
const prepare = createPreparation()
const keptIsolates = createKeptIsolates(isolates.renew)

let files = new Map<string, Buffer>()
let parts: Buffer[] = []
let listen: ((id: number, answer: string) => void) | undefined
let next: WarmIsolate | undefined = isolates.make(defaultMemoryMb)
let isRenewing = false
let waiting: IsolateStart | undefined

const outbox = createOutbox(channelDescriptor)
const { send } = outbox

const conversation: Conversation = {
  ...outbox,
  onAnswer: (given) => void (listen = given),
}

const start = async (program: IsolateStart) => {
  const given = files
  files = new Map()
  const { memoryMb, kept } = program
  if (kept?.fresh) keptIsolates.drop(kept.key)
  const before = kept && keptIsolates.take(kept.key, memoryMb)
  const warm = before?.warm ?? takeNext(memoryMb)
  const compiled: CompiledScripts = before?.compiled ?? new WeakMap()
  const work = { program, files: given, warm, prepare, conversation, ...(kept && { compiled }) }
  const left = await runProgram(work, before ? doneCodes.kept : doneCodes.reusable)
  // a child that is not reusable is about to be killed: touching its isolate could hang
  if (left === 'code') return
  // the answer is on its way; making the next isolate now keeps it off the next run's path
  isRenewing = true
  setImmediate(() => {
    if (kept && left === 'nothing') keptIsolates.keep(kept.key, { warm, compiled, runs: (before?.runs ?? 0) + 1 })
    else warm.isolate.dispose()
    next ??= isolates.make(memoryMb)
    isRenewing = false
    const early = waiting
    waiting = undefined
    if (early) begin(early)
    // a run that came meanwhile is read before this: then there is nothing to tell
    else setImmediate(() => next && send({ type: 'ready' }))
  })
}

const takeNext = (memoryMb: number): WarmIsolate => {
  const ready = next
  next = undefined
  if (ready?.memoryMb === memoryMb) return ready
  ready?.isolate.dispose()
  return isolates.make(memoryMb)
}

const begin = (program: IsolateStart) => {
  // the next run may be here before its isolate is: a second one made for it would be one too many
  if (isRenewing) waiting = program
  // a failure here is ours: the host sees the child die and says so
  else void start(program).catch(() => process.exit(70))
}

const receive = (message: ToChild) => {
  switch (message.type) {
    case 'file':
      parts.push(Buffer.from(message.base64, 'base64'))
      if (message.last) {
        files.set(message.path, Buffer.concat(parts))
        parts = []
      }
      return
    case 'start':
      return begin(message.program)
    case 'answer':
      return listen?.(
        message.id,
        JSON.stringify('error' in message ? { error: message.error } : { value: message.value }),
      )
  }
}

channel.on('data', (chunk: Buffer) => {
  for (const message of decoder.push(chunk)) receive(message as ToChild)
})
// the host is gone, and with it every reason to live
channel.on('close', () => process.exit(0))
channel.on('error', () => process.exit(0))
send({ type: 'ready' })
