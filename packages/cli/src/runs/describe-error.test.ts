import type { Run, RunError } from '@coherex/contract'
import { expect, test } from 'vitest'
import type { Terminal } from '../terminal.ts'
import { describeError } from './describe-error.ts'

const terminal = { color: false } as Terminal
const failed = (error: RunError) => ({ status: 'failed', error }) as Run
const lines = (error: RunError, source?: Parameters<typeof describeError>[2]) =>
  describeError(terminal, failed(error), source).split('\n')

test('describeError() marks the place in the line, under tabs too', () => {
  const code = 'def g():\n\treturn 1/0\ng()\n'
  expect(lines({ kind: 'runtime', message: 'no', line: 2, column: 9 }, { entry: 'a.py', code })).toEqual([
    'coherex: the run failed (runtime): no',
    '  at a.py:2:9',
    '  1 | def g():',
    '> 2 | \treturn 1/0',
    '    | \t       ^',
  ])
})

test('describeError() finds the file whose line it is, and shows a stack of several frames', () => {
  const stack = 'TypeError: bad\n    at f (h.js:2:9)\n    at a.js:9:1'
  const source = { entry: 'a.js', code: 'first\nwrong\n', files: { 'h.js': 'export {}\nfunction f() {}' } }
  expect(lines({ kind: 'runtime', message: 'bad', line: 2, column: 9, stack }, source)).toEqual([
    'coherex: the run failed (runtime): bad',
    '  at h.js:2:9',
    '  1 | export {}',
    '> 2 | function f() {}',
    '    |         ^',
    ...stack.split('\n'),
  ])
})

test('describeError() shows what a guest put into its message and invents no line', () => {
  expect(lines({ kind: 'runtime', message: 'a\u001b[2Jb', line: 99, column: 1 }, { code: 'x' })).toEqual([
    'coherex: the run failed (runtime): a␛[2Jb',
    '  at line 99:1',
  ])
  expect(lines({ kind: 'runtime', message: '\u001b[8mhidden' })).toEqual([
    'coherex: the run failed (runtime): \u001b[8mhidden\u001b[0m',
  ])
  expect(lines({ kind: 'timeout', message: 'too long' })).toEqual(['coherex: the run failed (timeout): too long'])
})
