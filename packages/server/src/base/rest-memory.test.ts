import { getHeapStatistics } from 'node:v8'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { startMemoryRest } from './rest-memory.ts'

const heldMb = () => getHeapStatistics().total_heap_size / 1024 / 1024
let rest: ReturnType<typeof startMemoryRest> | undefined
afterEach(() => rest?.stop())

describe('startMemoryRest()', () => {
  it('gives back what the heap grew to once nothing happens any more', { timeout: 30_000 }, async () => {
    let grown: unknown[] | undefined = Array.from({ length: 400_000 }, (_, at) => ({ at, text: [at, at] }))
    const before = heldMb()
    expect(grown.length).toBe(400_000)
    grown = undefined
    rest = startMemoryRest({ quietMs: 300, worthMb: 1 })
    await vi.waitUntil(() => heldMb() < before - 16, { timeout: 20_000, interval: 1_000 })
  })

  it('leaves a busy process alone', async () => {
    rest = startMemoryRest({ quietMs: 100, worthMb: 0 })
    const before = heldMb()
    const until = performance.now() + 600
    // a third of the time is busy, and the timers in between are heard
    while (performance.now() < until) {
      const busyUntil = performance.now() + 5
      while (performance.now() < busyUntil);
      await new Promise((resolve) => setTimeout(resolve, 10))
    }
    expect(heldMb()).toBeGreaterThanOrEqual(before)
  })
})
