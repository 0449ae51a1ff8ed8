import { createHash } from 'node:crypto'
import { deflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { checkPack } from './check-pack.ts'
import { gitLimits } from './git-limits.ts'

const limits = { ...gitLimits, packBytes: 100_000, unpackedBytes: 1_000_000, objects: 10, deltas: 3 }
const blob = 3
const offsetDelta = 6

interface Item {
  type: number
  bytes: Buffer
  /** What the header says. */
  size?: number
  /** How far before it its base begins. */
  distance?: number
}

function header(type: number, size: number): Buffer {
  const bytes = [(type << 4) | (size & 15)]
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) | 0x80
    bytes.push(rest & 0x7f)
  }
  return Buffer.from(bytes)
}

function number(value: number): Buffer {
  const bytes: number[] = []
  let rest = value
  do {
    bytes.push((rest & 0x7f) | (rest > 127 ? 0x80 : 0))
    rest = Math.floor(rest / 128)
  } while (rest > 0)
  return Buffer.from(bytes)
}

const entry = ({ type, bytes, size = bytes.length, distance }: Item) =>
  Buffer.concat([header(type, size), ...(distance === undefined ? [] : [Buffer.from([distance])]), deflateSync(bytes)])

function pack(items: Item[], count = items.length): Buffer {
  const head = Buffer.alloc(12)
  head.write('PACK')
  head.writeUInt32BE(2, 4)
  head.writeUInt32BE(count, 8)
  const body = Buffer.concat([head, ...items.map(entry)])
  return Buffer.concat([body, createHash('sha1').update(body).digest()])
}

const text = (words: string): Item => ({ type: blob, bytes: Buffer.from(words) })
/** Against an object of 5 bytes that begins `distance` before it. */
const delta = (target: number, distance: number): Item => ({
  type: offsetDelta,
  bytes: Buffer.concat([number(5), number(target), Buffer.from([0x90, 5])]),
  distance,
})

test('checkPack() lets through what git packs', () => {
  expect(() =>
    checkPack(pack([text('hello'), text(''), delta(5, entry(text('hello')).length + entry(text('')).length)]), limits),
  ).not.toThrow()
})

test.each([
  ['a bomb that says what it is', [{ type: blob, bytes: Buffer.alloc(1_000_001) }], /more than 1 MB/],
  [
    'many that are too much together',
    Array.from({ length: 3 }, () => ({ type: blob, bytes: Buffer.alloc(400_000) })),
    /more than 1 MB/,
  ],
  ['a bomb that lies about its size', [{ type: blob, bytes: Buffer.alloc(900_000), size: 10 }], /broken/],
  ['less than it says', [{ type: blob, bytes: Buffer.from('x'), size: 10 }], /broken/],
  [
    'a delta of a few bytes for a gigabyte',
    [text('hello'), delta(2 ** 30, entry(text('hello')).length)],
    /more than 1 MB/,
  ],
  ['a delta against nothing', [text('hello'), delta(5, 3)], /broken/],
  ['a type that is none', [{ type: 5, bytes: Buffer.from('x') }], /broken/],
])('checkPack() refuses %s', (_what, items, message) => {
  expect(() => checkPack(pack(items as Item[]), limits)).toThrow(message)
})

test('checkPack() refuses deltas upon deltas, too many objects, and what is cut short or has more than it says', () => {
  const chain = [text('hello')]
  for (let depth = 0; depth < 4; depth++) chain.push(delta(5, entry(chain.at(-1) as Item).length))
  expect(() => checkPack(pack(chain), limits)).toThrow(/upon each other/)
  expect(() => checkPack(pack(chain), { ...limits, deltas: 4 })).not.toThrow()
  expect(() => checkPack(pack(Array.from({ length: 11 }, () => text('x'))), limits)).toThrow(/more than 10 objects/)
  expect(() => checkPack(pack([text('x')], 2 ** 32 - 1), limits)).toThrow(/more than 10 objects/)
  const whole = pack([text('hello'), text('world')])
  for (const length of [0, 3, 11, 31, 40, whole.length - 21]) {
    expect(() => checkPack(whole.subarray(0, length), limits)).toThrow(/broken/)
  }
  expect(() => checkPack(pack([text('hello'), text('world')], 1), limits)).toThrow(/broken/)
  expect(() => checkPack(Buffer.alloc(100_001), limits)).toThrow(/more than 0.1 MB/)
})
