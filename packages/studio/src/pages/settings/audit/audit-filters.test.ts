import { expect, test } from 'vitest'
import { hasFilters, lastDays, parseAuditFilters, toAuditQuery } from './audit-filters.ts'

test('an address becomes filters, and what is no filter is ignored', () => {
  expect(
    parseAuditFilters({
      search: 'ada',
      action: 'member',
      from: '2026-11-01',
      to: 'soon',
      page: 3,
      actorId: '',
      event: {},
    }),
  ).toEqual({ search: 'ada', action: 'member', from: '2026-11-01' })
})

test('a search that looks like a number stays a search', () => {
  expect(parseAuditFilters({ search: 42 })).toEqual({ search: '42' })
})

test('a day that does not exist is no filter', () => {
  expect(parseAuditFilters({ from: '2026-02-31' })).toEqual({})
})

test('days become the first and the last moment of the reader’s own days', () => {
  const { from, to } = toAuditQuery({ from: '2026-11-14', to: '2026-11-15' })
  expect([new Date(from ?? ''), new Date(to ?? '')]).toEqual([
    new Date(2026, 10, 14),
    new Date(2026, 10, 15, 23, 59, 59, 999),
  ])
})

test('the open event is not part of the question to the server', () => {
  expect(toAuditQuery({ search: 'ada', event: 'aud_1' })).toEqual({ search: 'ada' })
  expect([hasFilters({ event: 'aud_1' }), hasFilters({ to: '2026-11-15' })]).toEqual([false, true])
})

test('the last seven days include today and cross months', () => {
  expect(lastDays(7, new Date(2026, 10, 3, 12))).toEqual({ from: '2026-10-28', to: '2026-11-03' })
  expect(lastDays(1, new Date(2026, 10, 3, 12))).toEqual({ from: '2026-11-03', to: '2026-11-03' })
})
