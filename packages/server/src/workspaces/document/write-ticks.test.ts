import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { WriteTicks } from './write-ticks.ts'

/** Writes that go on until they are told how they end. */
function startTurns() {
  const begun: (string | undefined)[] = []
  const ends: PromiseWithResolvers<void>[] = []
  const turns = new WriteTicks<string>((work) => {
    const end = Promise.withResolvers<void>()
    begun.push(work)
    ends.push(end)
    return end.promise
  })
  return { turns, begun, ends }
}

test('all that wait while a write goes on share the next', async () => {
  const { turns, begun, ends } = startTurns()
  const first = turns.add()
  await setImmediate()
  const waiting = [turns.add(), turns.add()]
  expect(begun).toEqual([undefined])
  ends[0]?.resolve()
  await first
  await setImmediate()
  expect(begun).toEqual([undefined, undefined])
  ends[1]?.resolve()
  await Promise.all(waiting)
  expect(begun).toHaveLength(2)
})

test('work has a turn of its own, one after the other', async () => {
  const { turns, begun, ends } = startTurns()
  const all = [turns.add('a'), turns.add('b'), turns.add(), turns.add('c'), turns.add()]
  for (const begunThen of [['a'], ['a', 'b'], ['a', 'b', undefined], ['a', 'b', undefined, 'c']]) {
    await setImmediate()
    expect(begun).toEqual(begunThen)
    ends.at(-1)?.resolve()
  }
  await Promise.all(all)
  expect(begun).toHaveLength(4)
})

test('a write that fails tells those who wait for it, and the next goes on', async () => {
  const { turns, begun, ends } = startTurns()
  const [first, second] = [turns.add('a'), turns.add('b')]
  await setImmediate()
  ends[0]?.reject(new Error('The database is away'))
  await expect(first).rejects.toThrow('The database is away')
  await setImmediate()
  expect(begun).toEqual(['a', 'b'])
  ends[1]?.resolve()
  await second
  await turns.settled()
})
