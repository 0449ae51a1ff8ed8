import { expect, test } from 'vitest'
import { EarlyStops } from './early-stops.ts'

test('a stop waits a minute for its turn, and stops it once', () => {
  let now = 0
  const stops = new EarlyStops(() => now)
  stops.keep('one')
  stops.keep('two')
  now = 59_999
  expect(stops.take('one')).toBe(true)
  expect(stops.take('one')).toBe(false)
  now = 60_000
  expect(stops.take('two')).toBe(false)
  expect(stops.take('never')).toBe(false)
})

test('no more than a thousand wait, the oldest are forgotten', () => {
  const stops = new EarlyStops(() => 0)
  for (let at = 0; at < 1_500; at++) stops.keep(`turn ${at}`)
  expect(stops.take('turn 499')).toBe(false)
  expect(stops.take('turn 500')).toBe(true)
  expect(stops.take('turn 1499')).toBe(true)
})
