import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { Duplex, PassThrough } from 'node:stream'
import { buffer, text } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { GuestStreams, type GuestStreamsOptions } from './guest-streams.ts'
import { encodeHeader, type FrameType, frameTypes, maxPayloadBytes, windowBytes } from './stream-frame.ts'

const guest = join(import.meta.dirname, '../guest/python')
const closing: (() => Promise<unknown> | void)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

/** The guest's own file on the other end of a socket, listening on a port of its own instead of the sandbox's. */
async function startGuest(options: Partial<GuestStreamsOptions>) {
  const script = `
import sys, socket
sys.path.insert(0, sys.argv[1])
import streams
streams.PROXY = ("127.0.0.1", 0)
listener = streams.listen()
print(listener.getsockname()[1], flush=True)
streams.Streams(socket.socket(fileno=3), listener).run()
`
  const child: ChildProcess = spawn('/usr/bin/python3', ['-I', '-B', '-c', script, guest], {
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
  })
  const link = child.stdio[3] as Duplex
  link.on('error', () => {})
  closing.push(async () => {
    link.destroy()
    if (child.exitCode === null) await once(child, 'exit')
  })
  const [line] = (await once(child.stdout!, 'data')) as [Buffer]
  new GuestStreams(link, { onConnection: () => {}, onBroken: () => {}, ...options })
  return { port: Number(line.toString()), link, child }
}

const pattern = (bytes: number) => Buffer.alloc(bytes, 'the quick brown fox jumps over the lazy dog ')

test('what is sent from either side arrives whole, and the end of one direction leaves the other open', async () => {
  const given = pattern(5_000_000)
  const { port } = await startGuest({
    onConnection(connection) {
      const asked: Buffer[] = []
      connection.on('data', (chunk: Buffer) => asked.push(chunk))
      connection.once('end', () => connection.end(Buffer.concat([...asked, given])))
    },
  })
  const clients = Array.from({ length: 5 }, async (_, number) => {
    const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    const asked = pattern(300_000 + number)
    client.end(asked)
    const answer = await buffer(client)
    expect(answer.length).toBe(asked.length + given.length)
    expect(answer.equals(Buffer.concat([asked, given]))).toBe(true)
  })
  await Promise.all(clients)
})

test('a reader that does not read holds up its own stream only, within a window', async () => {
  const arrived: Duplex[] = []
  const { port } = await startGuest({
    onConnection(connection) {
      arrived.push(connection)
      if (arrived.length > 1) connection.pipe(connection)
    },
  })
  const slow = connect(port, '127.0.0.1').on('error', () => {})
  slow.write(pattern(50_000_000))
  for (let round = 0; round < 20; round++) {
    const quick = connect(port, '127.0.0.1')
    quick.end('ping')
    expect(await text(quick)).toBe('ping')
  }
  expect(arrived[0]?.readableLength).toBeLessThanOrEqual(windowBytes)
  expect(slow.writableLength).toBeGreaterThan(0)
  slow.destroy()
})

test('connections beyond those at once wait for a place, and none is lost', async () => {
  let most = 0
  let open = 0
  const { port } = await startGuest({
    onConnection(connection) {
      most = Math.max(most, ++open)
      connection.once('close', () => open--)
      connection.on('data', () => connection.end('done'))
    },
  })
  const answers = Array.from({ length: 300 }, () => {
    const client = connect(port, '127.0.0.1')
    client.end('hello')
    return text(client)
  })
  expect(new Set(await Promise.all(answers))).toEqual(new Set(['done']))
  expect(most).toBeLessThanOrEqual(128)
})

test('when the link is closed, connections on both sides end', async () => {
  const arrived = Promise.withResolvers<Duplex>()
  const { port, link, child } = await startGuest({ onConnection: arrived.resolve })
  const client = connect(port, '127.0.0.1')
  client.resume().on('error', () => {})
  client.write('hello')
  const connection = await arrived.promise
  const clientEnds = new Promise((resolve) => client.once('close', resolve))
  const ends = [once(connection, 'close'), once(child, 'exit'), clientEnds]
  link.destroy()
  await Promise.all(ends)
})

function pair(readable: PassThrough, writable: PassThrough): Duplex {
  const link = new Duplex({
    read: () => void readable.resume(),
    write: (chunk, _, done) => void writable.write(chunk, done),
  })
  readable.on('data', (chunk) => link.push(chunk))
  return link
}

/** A guest that speaks on the link itself. */
function hostile(options: Partial<GuestStreamsOptions> = {}) {
  const fromGuest = new PassThrough()
  const toGuest = new PassThrough({ highWaterMark: 1_000_000 })
  const link = pair(fromGuest, toGuest)
  link.on('error', () => {})
  const connections: Duplex[] = []
  const broken: string[] = []
  new GuestStreams(link, {
    onConnection: (connection) => void connections.push(connection),
    onBroken: (reason) => void broken.push(reason),
    ...options,
  })
  closing.push(() => void link.destroy())
  const frame = (type: number, stream: number, payload: Uint8Array = Buffer.alloc(0)) =>
    Buffer.concat([encodeHeader(type as FrameType, stream, payload.length), payload])
  const send = async (...frames: Buffer[]) => {
    fromGuest.write(Buffer.concat(frames))
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve))
  }
  return { connections, broken, frame, send, toGuest }
}

test('garbage on the link ends every stream and is told once', async () => {
  const cases: ((guest: ReturnType<typeof hostile>) => Buffer[])[] = [
    () => [Buffer.from('GET / HTTP/1.1\r\nHost: x\r\n\r\n')],
    () => [Buffer.alloc(100, 0xff)],
    ({ frame }) => [frame(frameTypes.open, 1)],
    ({ frame }) => [frame(frameTypes.open, 0)],
    ({ frame }) => [frame(frameTypes.open, 3, Buffer.alloc(2))],
    ({ frame }) => [frame(frameTypes.data, 99, Buffer.from('x'))],
    ({ frame }) => [frame(frameTypes.data, 4, Buffer.from('x'))],
    ({ frame }) => [frame(frameTypes.data, 1)],
    ({ frame }) => [frame(frameTypes.data, 1, Buffer.alloc(maxPayloadBytes + 1))],
    ({ frame }) => [frame(frameTypes.credit, 1, Buffer.from([0, 0, 0, 1]))],
    ({ frame }) => [frame(frameTypes.credit, 1, Buffer.from([1]))],
    ({ frame }) => [frame(frameTypes.end, 1), frame(frameTypes.data, 1, Buffer.from('x'))],
    ({ frame }) => [0, 1, 2].map(() => frame(frameTypes.data, 1, Buffer.alloc(maxPayloadBytes))),
  ]
  for (const [index, attack] of cases.entries()) {
    const guest = hostile()
    await guest.send(guest.frame(frameTypes.open, 1))
    expect(guest.connections, `case ${index}`).toHaveLength(1)
    await guest.send(...attack(guest))
    expect(guest.broken, `case ${index}`).toHaveLength(1)
    expect(guest.connections[0]?.destroyed, `case ${index}`).toBe(true)
    await guest.send(guest.frame(frameTypes.open, 5))
    expect(guest.connections).toHaveLength(1)
  }
})

test('a flood of opened and closed streams makes no more than the places there are in one turn', async () => {
  const guest = hostile()
  const frames = Array.from({ length: 10_000 }, (_, index) => [
    guest.frame(frameTypes.open, index + 1),
    guest.frame(frameTypes.reset, index + 1),
  ])
  await guest.send(...frames.flat())
  expect(guest.broken).toEqual([])
  expect(guest.connections.length).toBeLessThanOrEqual(128 * 4)
  await guest.send(guest.frame(frameTypes.open, 10_001))
  expect(guest.connections.at(-1)?.destroyed).toBe(false)
})
