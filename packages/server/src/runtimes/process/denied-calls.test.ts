import { spawnSync } from 'node:child_process'
import { closeSync, constants, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { denialsSoFar, signOfDenials } from './denied-calls.ts'

let directory: string
const opened: { socket: Socket; writer: number }[] = []

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'coherex-denied-'))
})
afterAll(() => {
  for (const { socket, writer } of opened) {
    socket.destroy()
    closeSync(writer)
  }
  rmSync(directory, { recursive: true })
})

/** A pipe into this process. */
function openPipe(name: string): { socket: Socket; write(text: string): void } {
  const path = join(directory, name)
  spawnSync('mkfifo', [path])
  const socket = new Socket({ fd: openSync(path, constants.O_RDONLY | constants.O_NONBLOCK), writable: false })
  const writer = openSync(path, 'w')
  opened.push({ socket, writer })
  return { socket, write: (text) => void writeSync(writer, text) }
}

test('what was denied before the last word is known with it, also where the last word is read with an earlier one', async () => {
  const [other, control, channel] = [openPipe('other'), openPipe('control'), openPipe('channel')]
  const denials: string[] = []
  control.socket.on('data', (chunk: Buffer) => denials.push(chunk.toString()))
  const said = new Promise<{ text: string; denied: Promise<readonly string[]> }>((resolve) =>
    channel.socket.on('data', (chunk: Buffer) =>
      resolve({ text: chunk.toString(), denied: denialsSoFar({ denials: () => denials }) }),
    ),
  )
  // between the look at who has something to say and the reading of it
  other.socket.on('data', () => {
    control.write('ptrace')
    channel.write('done')
  })
  other.write('now')
  channel.write('started ')
  const { text, denied } = await said
  expect([text, await denied]).toEqual(['started done', ['ptrace']])
})

test('many denied calls are one sign, each named once', () => {
  expect(signOfDenials([])).toEqual([])
  expect(signOfDenials(['ptrace', 'mount', 'ptrace'])).toEqual([
    { kind: 'denied-syscall', detail: 'refused: ptrace (2 times), mount' },
  ])
})
