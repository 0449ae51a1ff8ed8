import { expect, test } from 'vitest'
import { SnapshotRule } from './snapshot-rule.ts'

test('a snapshot is due when the log is longer than the setting', () => {
  const rule = new SnapshotRule(10_000)
  expect([10_000, 10_001].map((bytes) => rule.isDue(bytes))).toEqual([false, true])
  expect([80_000, 80_001].map((bytes) => rule.isOverdue(bytes))).toEqual([false, true])
})

test('a large document waits for more, a small one never for less', () => {
  const rule = new SnapshotRule(10_000)
  rule.made(1_000_000)
  expect([50_000, 50_001].map((bytes) => rule.isDue(bytes))).toEqual([false, true])
  rule.made(500)
  expect([10_000, 10_001].map((bytes) => rule.isDue(bytes))).toEqual([false, true])
})
