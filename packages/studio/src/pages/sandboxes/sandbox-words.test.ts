import type { Sandbox } from '@coherex/contract'
import { expect, test } from 'vitest'
import { hasLostVariables, isFullOfProcesses, noticeOf, sleepsIn } from './sandbox-words.ts'

const sandbox = (change: Partial<Sandbox>) =>
  ({ status: 'running', expiresAt: null, notice: null, ...change }) as Sandbox

test('sleepsIn() counts minutes, and says nothing of one that sleeps', () => {
  const now = Date.parse('2026-11-16T12:00:00Z')
  expect(sleepsIn(sandbox({ expiresAt: '2026-11-16T12:14:30Z' }), now)).toBe('sleeps in 15 m')
  expect(sleepsIn(sandbox({ expiresAt: '2026-11-16T12:00:30Z' }), now)).toBe('sleeps soon when idle')
  expect(sleepsIn(sandbox({ status: 'sleeping' }), now)).toBeUndefined()
})

test('hasLostVariables() is about cells that can be run again', () => {
  expect(
    hasLostVariables(sandbox({ notice: 'variables are gone (python after 2 cells): rerun runs the cells again' })),
  ).toBe(true)
  expect(hasLostVariables(sandbox({ notice: 'The session python ended: its variables are gone' }))).toBe(false)
})

test('isFullOfProcesses() is about a sandbox that a reset helps', () => {
  const notice = 'It has no room for another process: reset it to end those that earlier cells left'
  expect([isFullOfProcesses(sandbox({ notice })), isFullOfProcesses(sandbox({}))]).toEqual([true, false])
})

test('noticeOf() tells of a fork, of a sleep and of lost files in plain words', () => {
  const lost = 'variables are gone (python after 2 cells): rerun runs the cells again'
  const of = (change: Partial<Sandbox>) => noticeOf(sandbox({ forkedFrom: null, ...change }))
  expect(of({ forkedFrom: 'sbx_1', notice: `Its files are a copy; ${lost}` })).toBe(
    'Variables were not copied. Run all cells again.',
  )
  expect(of({ notice: `It slept because x: its files are back; ${lost}; 1 file could not be put back` })).toBe(
    'This sandbox slept. Its files are back, its variables are not: run all cells again. 1 file could not be put back.',
  )
  expect(of({ notice: null })).toBeUndefined()
})
