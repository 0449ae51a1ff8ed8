import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AheadPool } from './ahead-pool.ts'
import type { ReadySandbox } from './ready-sandbox.ts'

let started = 0
let killed = 0

/** A sandbox that only counts: what is proven here is when there is one. */
function start(): Promise<ReadySandbox> {
  started++
  const launched = { ended: new Promise(() => {}), kill: async () => void killed++ }
  return Promise.resolve({ launched } as unknown as ReadySandbox)
}

const { signal } = new AbortController()
const settle = () => vi.advanceTimersByTimeAsync(0)

beforeEach(() => {
  started = killed = 0
  vi.useFakeTimers()
})
afterEach(() => vi.useRealTimers())

test('there is nothing ahead for a language that nobody uses', async () => {
  const pool = new AheadPool({ start, onFailure() {} })
  await settle()
  expect({ started, taken: pool.take(signal) }).toEqual({ started: 0, taken: undefined })
  await pool.close()
})

test('after a use there is one, which serves once, and none is made before the next use', async () => {
  const pool = new AheadPool({ start, onFailure() {} })
  pool.used()
  await settle()
  expect(pool.ready).toBe(1)
  expect(await pool.take(signal)).toBeDefined()
  expect(pool.take(signal)).toBeUndefined()
  pool.used()
  await settle()
  expect({ started, ready: pool.ready }).toEqual({ started: 2, ready: 1 })
  await pool.close()
})

test('it is given up when the language is not used for a while, and on close', async () => {
  const pool = new AheadPool({ start, onFailure() {}, idleMs: 1000 })
  pool.used()
  await vi.advanceTimersByTimeAsync(900)
  pool.used()
  await vi.advanceTimersByTimeAsync(900)
  expect({ ready: pool.ready, killed }).toEqual({ ready: 1, killed: 0 })
  await vi.advanceTimersByTimeAsync(200)
  expect({ ready: pool.ready, killed }).toEqual({ ready: 0, killed: 1 })
  pool.used()
  await settle()
  await pool.close()
  expect({ ready: pool.ready, killed }).toEqual({ ready: 0, killed: 2 })
  pool.used()
  await settle()
  expect(pool.ready).toBe(0)
})
