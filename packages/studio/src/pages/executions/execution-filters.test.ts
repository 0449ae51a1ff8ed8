import { expect, test } from 'vitest'
import {
  changeExecutionFilters,
  hasExecutionFilters,
  parseExecutionFilters,
  toExecutionQuery,
} from './execution-filters.ts'

test('an address becomes filters, and what is no filter is ignored', () => {
  const address = {
    search: 42,
    kind: 'turn',
    status: 'dead',
    startedBy: 'moon',
    agent: 'a b',
    last: 'day',
    open: '../x',
  }
  expect(parseExecutionFilters({ ...address, page: 2, by: 'per_1' })).toEqual({
    search: '42',
    kind: 'turns',
    status: 'dead',
    last: 'day',
    by: 'per_1',
  })
})

test('the question to the server has a moment for a span, and leaves out what is open', () => {
  const now = Date.parse('2026-01-02T03:04:30.500Z')
  const asked = { kind: 'code', last: 'hour', by: 'me', open: 'run_1', agent: 'coder' } as const
  expect(toExecutionQuery(asked, { nowMs: now, myId: 'per_1' })).toEqual({
    agent: 'coder',
    kind: 'run',
    createdBy: 'per_1',
    from: '2026-01-02T02:04:00.000Z',
  })
})

test('changing a filter closes what was open', () => {
  expect(changeExecutionFilters({ status: 'failed', open: 'run_1' }, { kind: 'code', status: undefined })).toEqual({
    kind: 'code',
  })
  expect([hasExecutionFilters({ kind: 'code', open: 'run_1' }), hasExecutionFilters({ last: 'week' })]).toEqual([
    false,
    true,
  ])
})
