import { Duplex, PassThrough } from 'node:stream'
import { expect, test } from 'vitest'
import type { Launched } from '../../launch/index.ts'
import { encodeFrame } from '../../protocol/frame.ts'
import { KeeperLink } from './keeper-link.ts'
import { firstGuestStream, windowBytes } from './keeper-messages.ts'
import type { KeeperStream } from './keeper-stream.ts'

/** A keeper that was taken over: whatever it says, the host says it broke the protocol, once, and ends every wait. */
function takenOver() {
  const fromGuest = new PassThrough()
  const toGuest = new PassThrough({ highWaterMark: 10_000_000 })
  const channel = Duplex.from({ readable: fromGuest, writable: toGuest } as never)
  channel.on('error', () => {})
  const broken: string[] = []
  const incoming: KeeperStream[] = []
  const link = new KeeperLink({ channel: { read: channel, write: channel } } as unknown as Launched, {
    onReady() {},
    onExited() {},
    onChanged() {},
    onIncoming: (_, stream) => void incoming.push(stream),
    onBroken: (reason) => void broken.push(reason),
  })
  const send = async (...frames: Buffer[]) => {
    fromGuest.write(Buffer.concat(frames))
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
  }
  return { link, broken, incoming, send, toGuest }
}

function data(stream: number, bytes: Uint8Array): Buffer {
  const frame = Buffer.alloc(9 + bytes.length)
  frame.writeUInt32BE(5 + bytes.length, 0)
  frame.writeUInt8(1, 4)
  frame.writeUInt32BE(stream, 5)
  frame.set(bytes, 9)
  return frame
}

const inside = firstGuestStream + 1
const half = Buffer.alloc(windowBytes / 2)

test.each<[string, Buffer[]]>([
  ['no frame', [Buffer.from('GET / HTTP/1.1\r\n\r\n')]],
  ['a frame that claims too much', [Buffer.from([0x7f, 0xff, 0xff, 0xff])]],
  ['no JSON', [Buffer.concat([Buffer.from([0, 0, 0, 2]), Buffer.from('{{')])]],
  ['JSON that is nested without end', [encodeFrame(JSON.parse('['.repeat(300) + ']'.repeat(300)))]],
  ['an unknown message', [encodeFrame({ type: 'shutdown' })]],
  ['a message without its fields', [encodeFrame({ type: 'told' })]],
  ['an answer to nothing', [encodeFrame({ type: 'told', id: 99, value: 1 })]],
  ['an error that is no word of the kernel', [encodeFrame({ type: 'told', id: 1, error: '/etc/passwd' })]],
  ['the same answer twice', [encodeFrame({ type: 'told', id: 1 }), encodeFrame({ type: 'told', id: 1 })]],
  ['data of a stream that is not there', [data(77, Buffer.from('x'))]],
  ['data without bytes', [data(1, Buffer.alloc(0))]],
  ['more data than was granted', [data(1, half), data(1, half), data(1, Buffer.from('x'))]],
  ['data after the end', [encodeFrame({ type: 'end', stream: 1 }), data(1, Buffer.from('x'))]],
  ['more credit than was used', [encodeFrame({ type: 'credit', stream: 1, bytes: 1 })]],
  ['negative credit', [encodeFrame({ type: 'credit', stream: 1, bytes: -5 })]],
  [
    'a stream that ends twice',
    [encodeFrame({ type: 'closed', stream: 1 }), encodeFrame({ type: 'closed', stream: 1 })],
  ],
  ['a stream of its own with a number of ours', [encodeFrame({ type: 'incoming', listener: 1, stream: 5 })]],
  [
    'the same stream of its own twice',
    [inside, inside].map((stream) => encodeFrame({ type: 'incoming', listener: 1, stream })),
  ],
  [
    'more streams than anybody needs',
    Array.from({ length: 600 }, (_, index) => encodeFrame({ type: 'incoming', listener: 1, stream: inside + index })),
  ],
  ['changes in a shape of their own', [encodeFrame({ type: 'changed', watch: 1, changes: [{ path: 7 }] })]],
])('[keeper.2] %s ends it', async (_, frames) => {
  const { link, broken, incoming, send } = takenOver()
  const stream = link.stream()
  const asked = link.ask({ act: 'disk' }).then(
    () => 'answered',
    () => 'refused',
  )
  await send(...frames)
  expect(broken).toHaveLength(1)
  expect(['answered', 'refused']).toContain(await asked)
  expect(stream.resume().readableEnded || stream.readable).toBeDefined()
  await expect(link.ask({ act: 'disk' })).rejects.toThrow('The sandbox has ended')
  const known = incoming.length
  await send(encodeFrame({ type: 'incoming', listener: 1, stream: inside + 5000 }))
  expect([broken.length, incoming.length]).toEqual([1, known])
})

test('[keeper.3] a keeper that grants nothing holds up the writer and nobody else', async () => {
  const { link, send, toGuest } = takenOver()
  const stream = link.stream()
  let hasTaken = false
  stream.write(Buffer.alloc(windowBytes + 1), () => (hasTaken = true))
  await send()
  expect(toGuest.readableLength).toBeLessThan(windowBytes + 1_000)
  expect(hasTaken).toBe(false)
  const answer = link.ask({ act: 'disk' })
  await send(encodeFrame({ type: 'told', id: 1, value: 'fine' }))
  expect(await answer).toBe('fine')
  await send(encodeFrame({ type: 'credit', stream: 1, bytes: 65_536 }))
  expect(hasTaken).toBe(true)
})
