import { expect, test } from 'vitest'
import { backoff } from './backoff.ts'

test('backoff() grows with each failure up to the longest wait', () => {
  const waits = { firstMs: 500, longestMs: 5_000 }
  expect([1, 2, 3, 4, 5, 2_000].map((failures) => backoff(failures, waits))).toEqual([
    500, 1000, 2000, 4000, 5000, 5000,
  ])
  expect(backoff(3, { firstMs: 10, longestMs: 1_000, factor: 3 })).toBe(90)
})
