import { getHeapStatistics } from 'node:v8'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { isWorthRest, startMemoryRest } from './rest-memory.ts'

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

  it('gives back bytes outside of the heap that nobody names any more', async () => {
    const before = process.memoryUsage().external
    let grown: Buffer[] | undefined = Array.from({ length: 40 }, () => Buffer.alloc(1024 * 1024, 1))
    expect(grown.length).toBe(40)
    grown = undefined
    rest = startMemoryRest({ quietMs: 300, worthMb: 12 })
    await vi.waitUntil(() => process.memoryUsage().external < before + 10 * 1024 * 1024, {
      timeout: 55_000,
      interval: 1_000,
    })
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

const ask = (usedMb: number, utilization: number, restedUsedMb = 60) =>
  isWorthRest(
    { heldMb: usedMb + 40, usedMb, utilization },
    { rested: { heldMb: restedUsedMb + 20, usedMb: restedUsedMb }, worthMb: 12 },
  )

describe('isWorthRest()', () => {
  it('says yes after a burst, however much of it is garbage', () => {
    expect([ask(100, 0), ask(200, 0), ask(2_000, 0)]).toEqual([true, true, true])
  })

  it('says yes to much where a few still ask, and to little only where nobody does', () => {
    expect([ask(500, 0.04), ask(500, 0.3), ask(100, 0.04)]).toEqual([true, false, false])
  })

  it('says no to a heap that was found to be alive, until half of it must be garbage', () => {
    expect([ask(450, 0, 300), ask(600, 0, 300)]).toEqual([false, true])
  })
})
