import { CoherexError, defaultQuotas, type Quotas } from '@coherex/contract'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { checkQuota } from './quotas.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
})
afterEach(() => {
  vi.useRealTimers()
})

test.each<[keyof Quotas, string, number | undefined]>([
  ['runSecondsPerDay', '2026-02-28T00:00:00Z', 86_400],
  ['runSecondsPerDay', '2026-02-28T23:59:30.500Z', 30],
  ['runSecondsPerDay', '2026-12-31T23:59:59.999Z', 1],
  ['spendUsdPerMonth', '2026-12-31T23:00:00Z', 3600],
  ['spendUsdPerMonth', '2028-02-28T00:00:00Z', 2 * 86_400],
  // free when something ends or is removed, and nobody knows when that is
  ['sandboxesAtOnce', '2026-02-28T00:00:00Z', undefined],
  ['members', '2026-02-28T00:00:00Z', undefined],
])('checkQuota() says when %s is free again, at %s', (name, now, seconds) => {
  vi.setSystemTime(now)
  const limit = defaultQuotas[name]
  expect(refusalOf(name, limit)).toEqual({ code: 'quota_exceeded', retryAfterSeconds: seconds })
  expect(refusalOf(name, limit - 1)).toBeUndefined()
})

function refusalOf(name: keyof Quotas, using: number) {
  try {
    checkQuota(defaultQuotas, name, using)
    return undefined
  } catch (error) {
    if (!(error instanceof CoherexError)) throw error
    return { code: error.code, retryAfterSeconds: error.retryAfterSeconds }
  }
}
