import { expect, test } from 'vitest'
import { addUse, formatCost, formatTokens } from './tokens.ts'

test('tokens are short and costs keep the digits that count', () => {
  expect([0, 999, 1_000, 12_449, 999_499, 999_500, 1_250_000].map(formatTokens)).toEqual([
    '0',
    '999',
    '1k',
    '12.4k',
    '999.5k',
    '1M',
    '1.3M',
  ])
  expect([null, 0, 0.00001, 0.00312, 0.05, 12.5].map(formatCost)).toEqual([
    'cost unknown',
    '$0',
    '< $0.0001',
    '$0.0031',
    '$0.050',
    '$12.50',
  ])
})

test('a sum with an unknown cost in it is unknown', () => {
  const use = { inputTokens: 1, cachedInputTokens: 0, outputTokens: 2, costUsd: 0.5 }
  expect(addUse([use, use])).toEqual({ inputTokens: 2, cachedInputTokens: 0, outputTokens: 4, costUsd: 1 })
  expect(addUse([use, { ...use, costUsd: null }]).costUsd).toBeNull()
})
