import { getHeapStatistics } from 'node:v8'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { startMemoryRest } from './rest-memory.ts'

const heldMb = () => getHeapStatistics().total_heap_size / 1024 / 1024
let rest: ReturnType<typeof startMemoryRest> | undefined
afterEach(() => rest?.stop())

describe('startMemoryRest()', () => {
  it('gives back what the heap grew to once nothing happens any more', async () => {
    let grown: unknown[] | undefined = Array.from({ length: 400_000 }, (_, at) => ({ at, text: [at, at] }))
    const before = heldMb()
    expect(grown.length).toBe(400_000)
    grown = undefined
    rest = startMemoryRest({ quietMs: 300, worthMb: 1 })
    await vi.waitUntil(() => heldMb() < before - 16, { timeout: 55_000, interval: 1_000 })
  })

  it('leaves a busy process alone', async () => {
    rest = startMemoryRest({ quietMs: 300, worthMb: 0 })
    const before = heldMb()
    const until = performance.now() + 1000
    // a third of the time is busy, however long the timers in between are heard late
    while (performance.now() < until) {
      const began = performance.now()
      await new Promise((resolve) => setTimeout(resolve, 10))
      const busyUntil = performance.now() + (performance.now() - began) / 2
      while (performance.now() < busyUntil);
    }
    expect(heldMb()).toBeGreaterThanOrEqual(before)
  })
})
