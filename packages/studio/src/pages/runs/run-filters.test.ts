import { expect, test } from 'vitest'
import { changeRunFilters, hasRunFilters, parseRunFilters, toRunQuery } from './run-filters.ts'

test('an address becomes filters, and what is no filter is ignored', () => {
  expect(
    parseRunFilters({
      search: 'fetch(',
      status: 'failed',
      language: 'cobol',
      runtime: 'isolate',
      mine: true,
      page: 2,
      run: '../x',
    }),
  ).toEqual({ search: 'fetch(', status: 'failed', runtime: 'isolate', mine: true })
  expect(parseRunFilters({ mine: 'yes', search: '', run: {} })).toEqual({})
})

test('a search that looks like a number stays a search', () => {
  expect(parseRunFilters({ search: 42 })).toEqual({ search: '42' })
})

test('filters survive the way through the address', () => {
  const filters = { search: 'x y', status: 'running', language: 'python', mine: true, run: 'run_01abc' } as const
  expect(parseRunFilters(JSON.parse(JSON.stringify(filters)))).toEqual(filters)
})

test('the question to the server names me and leaves out what is open', () => {
  expect(toRunQuery({ mine: true, run: 'run_1', status: 'queued' }, 'per_1')).toEqual({
    createdBy: 'per_1',
    status: 'queued',
  })
  expect([hasRunFilters({ run: 'run_1' }), hasRunFilters({ mine: true })]).toEqual([false, true])
})

test('changing a filter closes what was open', () => {
  expect(changeRunFilters({ status: 'failed', run: 'run_1' }, { status: undefined, search: '' })).toEqual({})
  expect(changeRunFilters({ status: 'failed' }, { run: 'run_1' })).toEqual({ status: 'failed', run: 'run_1' })
})
