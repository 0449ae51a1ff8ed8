import { expect, test } from 'vitest'
import { formatDuration } from './duration.ts'

test.each([
  [0, '0 ms'],
  [12.4, '12 ms'],
  [999.6, '1 s'],
  [1400, '1.4 s'],
  [59_960, '1 m'],
  [200_000, '3 m 20 s'],
  [3_599_600, '1 h'],
  [7_500_000, '2 h 5 m'],
  [36_000_000, '10 h'],
])('%d ms reads as %s', (milliseconds, words) => {
  expect(formatDuration(milliseconds)).toBe(words)
})
