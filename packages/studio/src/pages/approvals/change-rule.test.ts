import { expect, test } from 'vitest'
import { changeRule, momentOf } from './change-rule.ts'

test('a rule is set, changed with its expiry kept, and taken back; others stay', () => {
  expect(changeRule({ fetch: 'always' }, 'bash', 'first-time')).toEqual({ fetch: 'always', bash: 'first-time' })
  const standing = { bash: { ask: 'first-time' as const, expires: '2h' }, 'agent:writer': 'always' as const }
  expect(changeRule(standing, 'bash', 'always')).toEqual({ ...standing, bash: { ask: 'always', expires: '2h' } })
  expect(changeRule(standing, 'bash', 'never')).toEqual({ 'agent:writer': 'always' })
  expect([momentOf(standing.bash), momentOf('always'), momentOf(undefined)]).toEqual(['first-time', 'always', 'never'])
})
