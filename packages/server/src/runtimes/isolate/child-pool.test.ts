import { afterEach, expect, test, vi } from 'vitest'
import { ChildPool } from './child-pool.ts'
import type { IsolateChild } from './isolate-child.ts'

afterEach(() => vi.useRealTimers())

const signal = new AbortController().signal

/** A pool on a machine that may be broken. `launches` are those under way. */
function openPool() {
  const launches: { succeed(): void; fail(): void }[] = []
  const pool = new ChildPool({
    launch() {
      const { promise, resolve, reject } = Promise.withResolvers<IsolateChild>()
      const child = { runs: 0, streak: 0, isReady: true, isDead: false, ended: new Promise(() => {}) }
      launches.push({
        succeed: () => resolve({ ...child, kill: async () => undefined } as unknown as IsolateChild),
        fail: () => reject(new Error('no child')),
      })
      return promise
    },
    ...{ spares: 1, maxChildren: 4, widthPerDomain: 2, maxRuns: 100, idleMs: 60_000 },
  })
  const acquire = (domain: string) =>
    pool.acquire(domain, signal).then(
      () => 'taken',
      (error: Error) => error.message,
    )
  return { pool, launches, acquire }
}

test('nobody waits for a child that does not come, also when it was to be a spare', async () => {
  const { pool, launches, acquire } = openPool()
  const toppedUp = pool.topUp()
  const waiting = ['a', 'a', 'a', 'b'].map(acquire)
  // whatever is tried for them fails as well
  for (const launch of launches) {
    launch.fail()
    await toppedUp
  }
  expect(await Promise.all(waiting)).toEqual(['no child', 'no child', 'no child', 'no child'])
  await pool.close()
})

test('a pool that could not start a child tries again by itself, and says so until it has one', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const { pool, launches, acquire } = openPool()
  const toppedUp = pool.topUp()
  launches[0]?.fail()
  await toppedUp
  for (const tried of [2, 3]) {
    expect([pool.lastFailure, launches.length]).toEqual(['no child', tried - 1])
    await vi.advanceTimersByTimeAsync(1000)
    expect(launches.length).toBe(tried)
    if (tried === 2) launches[1]?.fail()
    await vi.advanceTimersByTimeAsync(0)
  }
  launches[2]?.succeed()
  await vi.advanceTimersByTimeAsync(0)
  expect([pool.lastFailure, pool.size]).toEqual([undefined, 1])
  expect(await acquire('a')).toBe('taken')
  vi.useRealTimers()
  launches[3]?.succeed()
  await pool.close()
})
