import { CoherexError } from '@coherex/contract'
import { expect, test } from 'vitest'
import { createRateLimiter } from './rate-limit.ts'

function setUp(limit = { burst: 5, perSecond: 2 }) {
  let now = 1_000_000
  const check = createRateLimiter(limit, () => now)
  const take = (sender = 'one') => {
    try {
      check(sender)
      return 'passed'
    } catch (error) {
      if (!(error instanceof CoherexError)) throw error
      return { code: error.code, retryAfterSeconds: error.retryAfterSeconds }
    }
  }
  return { take, wait: (ms: number) => (now += ms) }
}

test('a burst passes, then a sender waits for the rate', () => {
  const { take, wait } = setUp()
  expect(Array.from({ length: 5 }, () => take())).toEqual(Array(5).fill('passed'))
  expect(take()).toEqual({ code: 'quota_exceeded', retryAfterSeconds: 1 })
  wait(500)
  expect(take()).toBe('passed')
  expect(take()).toMatchObject({ code: 'quota_exceeded' })
})

test('waiting as long as it says is enough, also for slow rates', () => {
  const { take, wait } = setUp({ burst: 1, perSecond: 0.1 })
  expect(take()).toBe('passed')
  const refused = take() as { retryAfterSeconds: number }
  expect(refused.retryAfterSeconds).toBe(10)
  wait(refused.retryAfterSeconds * 1000)
  expect(take()).toBe('passed')
})

test('senders do not share', () => {
  const { take } = setUp({ burst: 1, perSecond: 1 })
  expect([take('one'), take('two')]).toEqual(['passed', 'passed'])
  expect(take('one')).toMatchObject({ code: 'quota_exceeded' })
})

test('being refused costs nothing', () => {
  const { take, wait } = setUp({ burst: 1, perSecond: 1 })
  take()
  for (let tries = 0; tries < 100; tries++) take()
  wait(1000)
  expect(take()).toBe('passed')
})

test('a long pause saves up no more than the burst', () => {
  const { take, wait } = setUp()
  take()
  wait(3_600_000)
  expect(Array.from({ length: 6 }, () => take()).filter((one) => one === 'passed')).toHaveLength(5)
})

test('a clock that is set back takes nothing away and gives nothing', () => {
  const { take, wait } = setUp({ burst: 2, perSecond: 1 })
  take()
  wait(-60_000)
  expect(take()).toBe('passed')
  expect(take()).toMatchObject({ code: 'quota_exceeded' })
  wait(1000)
  expect(take()).toBe('passed')
})

test('a flood of senders does not free one who is over the limit', () => {
  const { take } = setUp({ burst: 1, perSecond: 0.001 })
  take('greedy')
  for (let other = 0; other < 10_500; other++) take(`other ${other}`)
  expect(take('greedy')).toMatchObject({ code: 'quota_exceeded' })
})
