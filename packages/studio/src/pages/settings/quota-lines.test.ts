import { defaultQuotas } from '@coherex/contract'
import { expect, test } from 'vitest'
import { closestQuota } from './quota-lines.ts'

test('a team that is close to no limit is within its limits', () => {
  expect(closestQuota({ limits: defaultQuotas, used: { members: 4 } })).toBe('within limits')
})

test('the limit that is closest is named', () => {
  expect(closestQuota({ limits: defaultQuotas, used: { members: 40, storageMb: 10_240 } })).toBe('Storage: 100 %')
})
