import { pino } from 'pino'
import { afterEach, expect, test, vi } from 'vitest'
import { WriteBatches } from './write-batches.ts'

const log = pino({ level: 'silent' })

interface Item {
  name: string
  bytes?: number
}

afterEach(() => vi.useRealTimers())

function gather(write: (names: string[]) => Promise<void>) {
  const written: string[][] = []
  const batches = new WriteBatches<Item>({
    log,
    sizeOf: ({ bytes = 10 }) => bytes,
    isLasting: ({ name }) => name.startsWith('lasting'),
    async write(items) {
      const names = items.map(({ name }) => name)
      await write(names)
      written.push(names)
    },
  })
  return { batches, written, add: (name: string, bytes?: number) => batches.add(bytes ? { name, bytes } : { name }) }
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

/** Adds items while writes fail, by a code or without one, until only those are left that last. */
async function addWhileAway(failure: { code: string } | { message: string }) {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  let isAway = true
  const { batches, written, add } = gather(async () => {
    if (isAway) throw new Error('Failed query', { cause: Object.assign(new Error('no'), failure) })
  })
  const settled = new Map<string, string>()
  for (const name of ['lasting 1', 'other', 'lasting 2']) {
    const settle = (status: string) => () => void settled.set(name, status)
    void add(name).then(settle('written'), settle('given up'))
  }
  const minute = () => vi.advanceTimersByTimeAsync(60_000)
  await minute()
  return { batches, written, settled, minute, comeBack: () => (isAway = false) }
}

test('WriteBatches keeps what lasts until the database is back, and says that it is behind', async () => {
  const ended = { message: 'Connection terminated unexpectedly' }
  for (const failure of [{ code: '53100' }, { code: '57P03' }, { code: 'ECONNREFUSED' }, ended]) {
    const { batches, written, settled, minute, comeBack } = await addWhileAway(failure)
    expect([Object.fromEntries(settled), batches.isBehind]).toEqual([{ other: 'given up' }, true])
    comeBack()
    await minute()
    expect([Object.fromEntries(settled), batches.isBehind]).toEqual([
      { other: 'given up', 'lasting 1': 'written', 'lasting 2': 'written' },
      false,
    ])
    expect(written.flat().sort()).toEqual(['lasting 1', 'lasting 2'])
  }
})

test('WriteBatches gives up what lasts when it is closed, or when trying again would change nothing', async () => {
  const gone = { 'lasting 1': 'given up', 'lasting 2': 'given up', other: 'given up' }
  const { batches, settled, minute } = await addWhileAway({ code: '53100' })
  batches.close()
  await minute()
  expect(Object.fromEntries(settled)).toEqual(gone)
  for (const failure of [{ code: 'XX000' }, { code: '22P05' }, { message: 'Invalid string length' }]) {
    const refused = await addWhileAway(failure)
    expect([Object.fromEntries(refused.settled), refused.batches.isBehind]).toEqual([gone, false])
  }
})
