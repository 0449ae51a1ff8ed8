import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { afterSteps } from './after-steps.ts'

const standStill = (ms: number) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

test('afterSteps() counts a machine that stands still as one step', async () => {
  let calls = 0
  afterSteps(5, 20, () => calls++)
  standStill(200)
  await nextTurn()
  expect(calls).toBe(0)
  await expect.poll(() => calls).toBe(1)
})

test('afterSteps() can be stopped', async () => {
  let calls = 0
  const stop = afterSteps(1, 1, () => calls++)
  stop()
  standStill(10)
  await nextTurn()
  expect(calls).toBe(0)
})
