import { expect, test } from 'vitest'
import { dayGroupOf } from './day-groups.ts'

const now = new Date(2026, 10, 17, 9, 30).getTime()

test.each([
  [new Date(2026, 10, 17, 9, 29), 'Today'],
  [new Date(2026, 10, 17), 'Today'],
  [new Date(2026, 10, 16, 23, 59), 'Yesterday'],
  [new Date(2026, 10, 15, 23, 59), 'Last 7 days'],
  [new Date(2026, 10, 10), 'Last 7 days'],
  [new Date(2026, 10, 9, 23, 59), 'November 2026'],
  [new Date(2026, 9, 31), 'October 2026'],
  [new Date(2025, 10, 17), 'November 2025'],
])('dayGroupOf() puts %s into %s', (at, group) => {
  expect(dayGroupOf(at, now)).toBe(group)
})
