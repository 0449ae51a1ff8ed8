import { expect, test } from 'vitest'
import { describeIdle, describeLoss, describeWaking } from './describe-sandbox.ts'

const python = { context: 'python', language: 'python' as const, cells: 3 }
const slept = { reason: 'nobody used it for 15 min', sessions: [], notice: null }
const begin = 'It slept because nobody used it for 15 min: its files are back'

test.each([
  [2_000, 'nobody used it for 2 s'],
  [59_000, 'nobody used it for 59 s'],
  [900_000, 'nobody used it for 15 min'],
])('describeIdle() after %i ms', (idleTimeoutMs, words) => {
  expect(describeIdle({ idleTimeoutMs })).toBe(words)
})

test('sessions without a cell had nothing to lose', () => {
  expect(describeLoss([{ ...python, cells: 0 }])).toBeUndefined()
  expect(describeLoss([python, { context: 'other', language: 'bash', cells: 1 }])).toBe(
    'variables are gone (python after 3 cells, other after 1 cell): rerun runs the cells again',
  )
})

test('who wakes a sandbox hears why it slept, what was lost, and which files did not come back', () => {
  expect(describeWaking(slept, [])).toBe(`${begin}; no variables were lost`)
  expect(describeWaking({ ...slept, sessions: [python] }, ['a'])).toBe(
    `${begin}; variables are gone (python after 3 cells): rerun runs the cells again; 1 file could not be put back`,
  )
  expect(describeWaking({ ...slept, reason: null }, ['a', 'b'])).toBe(
    'It slept because nobody used it: its files are back; no variables were lost; 2 files could not be put back',
  )
})

test('one that sleeps again before a cell was run still lacks its variables', () => {
  const notice = describeWaking({ ...slept, sessions: [python] }, [])
  expect(describeWaking({ ...slept, notice }, [])).toBe(`${begin}; its variables are gone`)
})
