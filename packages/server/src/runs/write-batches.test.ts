import { pino } from 'pino'
import { expect, test } from 'vitest'
import { WriteBatches } from './write-batches.ts'

const log = pino({ level: 'silent' })

interface Item {
  name: string
  bytes?: number
}

function gather(write: (names: string[]) => Promise<void>) {
  const written: string[][] = []
  const batches = new WriteBatches<Item>({
    log,
    sizeOf: ({ bytes = 10 }) => bytes,
    async write(items) {
      const names = items.map(({ name }) => name)
      await write(names)
      written.push(names)
    },
  })
  return { written, add: (name: string, bytes?: number) => batches.add(bytes ? { name, bytes } : { name }) }
}

test('WriteBatches writes a lone item at once, and those that come meanwhile together', async () => {
  const { written, add } = gather(async () => new Promise((resolve) => setImmediate(resolve)))
  await Promise.all(['a', 'b', 'c', 'd'].map((name) => add(name)))
  expect(written).toEqual([['a'], ['b', 'c', 'd']])
})

test('WriteBatches parts what would be too large for one write', async () => {
  const { written, add } = gather(async () => new Promise((resolve) => setImmediate(resolve)))
  await Promise.all([add('a'), add('b', 3_000_000), add('c', 3_000_000), add('d')])
  expect(written).toEqual([['a'], ['b'], ['c', 'd']])
})

test('WriteBatches does not let a slow write hold up those behind it', async () => {
  const slow = Promise.withResolvers<void>()
  const { written, add } = gather(async (names) => (names.includes('slow') ? slow.promise : undefined))
  const waiting = add('slow')
  await add('quick')
  expect(written).toEqual([['quick']])
  slow.resolve()
  await waiting
})

test('WriteBatches refuses only the item that cannot be written', async () => {
  const { written, add } = gather(async (names) => {
    if (names.includes('bad')) throw Object.assign(new Error('bad data'), { code: '22P05' })
  })
  const settled = await Promise.allSettled(['a', 'b', 'bad', 'c'].map((name) => add(name)))
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
  expect(written.flat()).toEqual(['a', 'b', 'c'])
})

test('WriteBatches tries again while the database is away', async () => {
  let attempts = 0
  const { written, add } = gather(async () => {
    if (++attempts < 3) throw Object.assign(new Error('gone'), { code: 'ECONNREFUSED' })
  })
  await add('a')
  expect({ attempts, written }).toEqual({ attempts: 3, written: [['a']] })
})
