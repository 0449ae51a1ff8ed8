import { expect, test } from 'vitest'
import { relativeTime } from './relative-time.ts'

const now = Date.parse('2026-11-15T12:00:00Z')
const at = (distanceMs: number) => relativeTime(new Date(now + distanceMs), now)

test('a moment just past or just ahead is now', () => {
  expect([at(-44_000), at(0), at(44_000)]).toEqual(['now', 'now', 'now'])
})

test('minutes, hours and days are counted in both directions', () => {
  expect([at(-60_000), at(-5 * 60_000), at(-3_600_000), at(-7_200_000), at(-86_400_000), at(3 * 86_400_000)]).toEqual([
    '1 min ago',
    '5 min ago',
    '1 hour ago',
    '2 hours ago',
    '1 day ago',
    'in 3 days',
  ])
})

test('after two weeks it is a date, with the year only when it is another one', () => {
  expect([at(-20 * 86_400_000), at(-400 * 86_400_000)]).toEqual(['26 Oct', '11 Oct 2025'])
})
