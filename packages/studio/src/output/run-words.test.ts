import { expect, test } from 'vitest'
import { runTime, statusWord, titleOf } from './run-words.ts'

test('a running run counts from its beginning; one that waits has no time yet', () => {
  const run = { durationMs: 0, queuedMs: 500, createdAt: '2026-11-15T10:00:00.000Z' }
  const now = Date.parse('2026-11-15T10:00:02.950Z')
  expect(runTime({ ...run, status: 'running' }, now)).toBe('2.4 s')
  expect(runTime({ ...run, status: 'queued' }, now)).toBeUndefined()
  expect(runTime({ ...run, status: 'failed', durationMs: 12 }, now)).toBe('12 ms')
})

test('a mistake in the types is not called one of syntax', () => {
  expect(titleOf({ kind: 'syntax', message: "TS2322: Type 'string' is not assignable" })).toBe('Type error')
  expect(titleOf({ kind: 'syntax', message: 'Unexpected token' })).toBe('Syntax error')
  expect(titleOf({ kind: 'runtime', message: 'TS2322: printed by the program' })).toBe('The code failed')
})

test('statusWord() tells a run that ran out of time from one that failed', () => {
  expect(statusWord({ status: 'failed', error: { kind: 'timeout', message: '' } })).toBe('timed out')
  expect(statusWord({ status: 'failed', error: { kind: 'runtime', message: '' } })).toBe('failed')
  expect(statusWord({ status: 'cancelled', error: { kind: 'cancelled', message: '' } })).toBe('cancelled')
})
