import { expect, test } from 'vitest'
import { watchStretch } from './machine-stretch.ts'
import { stoodBetween, watchStandstill } from './standstill.ts'

const standStill = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

test('a machine that stands still is seen by whoever wanted to look', () => {
  const standstill = watchStandstill()
  standStill(500)
  expect(standstill.stop()).toBeGreaterThan(400)
})

test('neither work nor the wait for a core is a standstill', () => {
  const start = { at: 0, ran: 0, waited: 0 }
  expect(stoodBetween(start, { at: 2000, ran: 1900, waited: 50 })).toBe(0)
  expect(stoodBetween(start, { at: 2000, ran: 50, waited: 1900 })).toBe(0)
  expect(stoodBetween(start, { at: 2000, ran: 20, waited: 10 })).toBe(1950)
})

test('what takes its way through several processes may take as much longer as the machine stood still', () => {
  const began = performance.now()
  const machine = watchStretch()
  standStill(500)
  const stretch = machine.stop()
  const passed = performance.now() - began
  expect(stretch * (passed - 400)).toBeGreaterThan(passed)
})
