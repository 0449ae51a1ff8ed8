import { expect, test } from 'vitest'
import { formatBytes } from './size.ts'

test('formatBytes() chooses the unit that fits', () => {
  expect([0, 999, 1000, 1540, 12_345, 999_999, 64_000_000].map(formatBytes)).toEqual([
    '0 B',
    '999 B',
    '1 kB',
    '1.5 kB',
    '12 kB',
    '1 MB',
    '64 MB',
  ])
})
