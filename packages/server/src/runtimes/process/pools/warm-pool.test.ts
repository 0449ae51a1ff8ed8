import { expect, test } from 'vitest'
import type { ReadySandbox } from './ready-sandbox.ts'
import { WarmPool } from './warm-pool.ts'

function createPool(size: number) {
  const started: PromiseWithResolvers<ReadySandbox>[] = []
  const pool = new WarmPool({
    size,
    onFailure() {},
    start() {
      const start = Promise.withResolvers<ReadySandbox>()
      started.push(start)
      return start.promise
    },
  })
  const comeUp = (at: number) => {
    const { promise: ended, resolve } = Promise.withResolvers<void>()
    const sandbox = { launched: { ended, kill: async () => resolve() } } as unknown as ReadySandbox
    started[at]?.resolve(sandbox)
    return sandbox
  }
  return { pool, started, comeUp }
}

test('[process.13] WarmPool gives the sandbox of an aborted waiter to the next one', async () => {
  const { pool, comeUp } = createPool(0)
  const leaving = new AbortController()
  const first = pool.take(leaving.signal)
  const second = pool.take(new AbortController().signal)
  leaving.abort(new Error('cancelled'))
  await expect(first).rejects.toThrow('cancelled')
  const sandbox = comeUp(0)
  expect(await second).toBe(sandbox)
  comeUp(1)
  await pool.close()
})

test('[process.13] WarmPool gives nothing to a caller that aborted before', async () => {
  const { pool, started, comeUp } = createPool(1)
  const gone = AbortSignal.abort(new Error('cancelled'))
  await expect(pool.take(gone)).rejects.toThrow('cancelled')
  expect(started).toHaveLength(0)
  const full = pool.full()
  comeUp(0)
  await full
  await expect(pool.take(gone)).rejects.toThrow('cancelled')
  expect(pool.stats).toEqual({ ready: 1, hits: 0, misses: 0 })
  await pool.close()
})
