import { expect, test } from 'vitest'
import { percentile } from './tool-calls.ts'

/** As `record_runs` counts a duration. */
const bucketOf = (ms: number) => Math.ceil(Math.log(Math.max(ms, 0.1)) / Math.log(1.1))

test('percentile() is within a tenth of the duration that it stands for', () => {
  const took = Array.from({ length: 100 }, (_, at) => ({ bucket: bucketOf((at + 1) * 10), calls: 1 }))
  for (const [share, ms] of [
    [0.5, 500],
    [0.95, 950],
  ] as const)
    expect(Math.abs((percentile(took, share) ?? 0) - ms) / ms).toBeLessThan(0.1)
  expect(percentile([{ bucket: bucketOf(0), calls: 3 }], 0.5)).toBeCloseTo(0.1, 1)
  expect(percentile([], 0.5)).toBeNull()
})
