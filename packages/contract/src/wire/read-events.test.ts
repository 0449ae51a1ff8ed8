import { expect, test } from 'vitest'
import { readEvents, type ServerEvent } from './read-events.ts'

async function read(chunks: (Uint8Array | string)[]): Promise<ServerEvent[]> {
  const events: ServerEvent[] = []
  for await (const event of readEvents(chunksOf(chunks))) events.push(event)
  return events
}

async function* chunksOf<Chunk>(chunks: Chunk[]): AsyncGenerator<Chunk> {
  yield* chunks
}

const stream =
  ': still here\n\nid: 0\nevent: run-start\ndata: {"größe":1}\n\nid: 1\r\nevent: run-output\r\ndata:a\r\ndata: b\r\n\r\ndata\n\n'
const events = [
  { id: '0', type: 'run-start', data: '{"größe":1}' },
  { id: '1', type: 'run-output', data: 'a\nb' },
  { id: '', type: 'message', data: '' },
]

test('readEvents() reads fields, comments, data of several lines and every kind of line end', async () => {
  expect(await read([stream])).toEqual(events)
  expect(await read([stream.replaceAll('\r\n', '\n').replaceAll('\n', '\r'), '\n'])).toEqual(events)
})

test('readEvents() does not care where the bytes were cut', async () => {
  const bytes = new TextEncoder().encode(stream)
  for (let size = 1; size < 9; size++) {
    const chunks = []
    for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size))
    expect(await read(chunks), `${size} bytes at a time`).toEqual(events)
  }
})

test('readEvents() tells nothing of an event that broke off', async () => {
  expect(await read(['data: whole\n\nid: 7\ndata: half\n'])).toEqual([{ id: '', type: 'message', data: 'whole' }])
})

test('readEvents() reads a line of many megabytes in small pieces without looking through it again and again', async () => {
  const pieces = Array.from({ length: 4000 }, () => 'x'.repeat(4096))
  const [event] = await read(['data: ', ...pieces, '\n\n'])
  expect(event?.data.length).toBe(4000 * 4096)
})
