import fc from 'fast-check'
import { expect, test } from 'vitest'
import { encodeFrame, FrameDecoder, ProtocolError } from './frame.ts'

test('[protocol.1] messages survive any splitting and merging of chunks', () => {
  fc.assert(
    fc.property(
      fc.array(fc.jsonValue()),
      fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1 }),
      (messages, cuts) => {
        const bytes = Buffer.concat(messages.map((message) => encodeFrame(message)))
        const decoder = new FrameDecoder()
        const received: unknown[] = []
        for (let at = 0, cut = 0; at < bytes.length; cut++) {
          const size = cuts[cut % cuts.length] ?? 1
          received.push(...decoder.push(bytes.subarray(at, at + size)))
          at += size
        }
        expect(received).toEqual(messages.map((message) => JSON.parse(JSON.stringify(message))))
        expect(decoder.pendingBytes).toBe(0)
      },
    ),
  )
})

test('[protocol.2] a frame over the limit is refused from its header alone', () => {
  const decoder = new FrameDecoder(100)
  const header = Buffer.alloc(4)
  header.writeUInt32BE(101)
  expect(() => [...decoder.push(header)]).toThrow(ProtocolError)
})

test('[protocol.2] encodeFrame() refuses what the other side would refuse', () => {
  expect(() => encodeFrame('x'.repeat(99), 100)).toThrow(/limit is 100/)
  expect(() => encodeFrame(undefined)).toThrow(ProtocolError)
})

test('[protocol.3] messages before garbage arrive, and nothing after it', () => {
  const decoder = new FrameDecoder()
  const garbage = Buffer.from([0, 0, 0, 3, 0x7b, 0xff, 0x01])
  const received: unknown[] = []
  expect(() => {
    for (const message of decoder.push(Buffer.concat([encodeFrame({ a: 1 }), garbage]))) received.push(message)
  }).toThrow('not JSON')
  expect(received).toEqual([{ a: 1 }])
  expect(() => [...decoder.push(encodeFrame({ b: 2 }))]).toThrow(ProtocolError)
})

test('[protocol.1] an unfinished frame is visible at the end of the pipe', () => {
  const decoder = new FrameDecoder()
  expect([...decoder.push(encodeFrame({ a: 1 }).subarray(0, 7))]).toEqual([])
  expect(decoder.pendingBytes).toBe(7)
})

test('[protocol.1] a frame in a million small chunks costs linear time', () => {
  const bytes = encodeFrame('x'.repeat(1_000_000))
  const decoder = new FrameDecoder()
  let received = 0
  for (let at = 0; at < bytes.length; at++) for (const _ of decoder.push(bytes.subarray(at, at + 1))) received++
  expect(received).toBe(1)
})
