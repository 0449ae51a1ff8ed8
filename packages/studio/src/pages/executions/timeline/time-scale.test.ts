import { expect, test } from 'vitest'
import { createTimeScale } from './time-scale.ts'

const at = (second: number) => new Date(second * 1000).toISOString()
const phase = (status: 'queued' | 'running' | 'sleeping', from: number, to: number | null) => ({
  status,
  startedAt: at(from),
  endedAt: to === null ? null : at(to),
})

test('work is drawn at one pace, and an open phase ends now', () => {
  const scale = createTimeScale([phase('running', 0, null)], 10_000)
  expect([0, 2_500, 10_000, 99_000].map(scale.at)).toEqual([0, 0.25, 1, 1])
})

test('a long sleep is cut short, and what comes after it stays in view', () => {
  const phases = [phase('running', 0, 10), phase('sleeping', 10, 86_410), phase('running', 86_410, 86_420)]
  const scale = createTimeScale(phases, 0)
  // twenty seconds of work and three for the sleep
  expect(scale.at(10_000)).toBeCloseTo(10 / 23)
  expect(scale.at(86_410_000)).toBeCloseTo(13 / 23)
  expect(scale.at(86_420_000)).toBe(1)
})

test('a turn that only waited yet is drawn as it is', () => {
  expect(createTimeScale([phase('queued', 0, null)], 4_000).at(1_000)).toBe(0.25)
  expect(createTimeScale([], 4_000).at(1_000)).toBe(0)
})
