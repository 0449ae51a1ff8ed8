import type { OutputLine } from '@coherex/contract'
import { expect, test } from 'vitest'
import { OutputLog, type TextStream } from './output-log.ts'

function logOf(...lines: ([TextStream, string] | Record<string, unknown>)[]): OutputLog {
  const log = new OutputLog()
  for (const [at, line] of lines.entries()) {
    const [stream, text] = Array.isArray(line) ? line : []
    log.append((stream ? { at, stream, text } : { at, stream: 'display', data: line }) as OutputLine)
  }
  return log
}

const rowsOf = (log: OutputLog) =>
  log.blocks.flatMap((block) =>
    block.kind === 'text'
      ? block.rows.map((row) => `${row.stream}: ${row.spans.map(({ text }) => text).join('')}`)
      : ['display'],
  )

test('a line printed in pieces is one line', () => {
  expect(rowsOf(logOf(['stdout', 'a'], ['stdout', 'b\nc'], ['stdout', '\n'], ['stdout', '\nd']))).toEqual([
    'stdout: ab',
    'stdout: c',
    'stdout: ',
    'stdout: d',
  ])
})

test('an entry of the console is a line of its own, and may have several', () => {
  expect(rowsOf(logOf(['log', 'one'], ['log', 'two\nthree'], ['warn', 'four']))).toEqual([
    'log: one',
    'log: two',
    'log: three',
    'warn: four',
  ])
})

test('streams do not mix within a line', () => {
  const log = logOf(['stdout', 'half'], ['stderr', 'oops\n'], ['stdout', ' rest\n'])
  expect(rowsOf(log)).toEqual(['stdout: half', 'stderr: oops', 'stdout:  rest'])
  expect([log.hasOtherStreams, logOf(['stdout', 'x']).hasOtherStreams]).toEqual([true, false])
})

test('a progress bar writes over its line', () => {
  expect(
    rowsOf(logOf(['stderr', '\r 10%'], ['stderr', '\r 50%'], ['stderr', '\r100%\n'], ['stderr', 'done\r\n'])),
  ).toEqual(['stderr: 100%', 'stderr: done'])
  expect(rowsOf(logOf(['stdout', 'abc\b\bX']))).toEqual(['stdout: aX'])
})

test('what is shown stands between the lines around it', () => {
  const log = logOf(['stdout', 'before'], { 'text/plain': 'table', 'text/html': '<table>' }, ['stdout', 'after\n'])
  expect(rowsOf(log)).toEqual(['stdout: before', 'display', 'stdout: after'])
  expect(log.toText()).toBe('before\ntable\nafter')
})

test('a line of a megabyte is cut on screen and whole in the clipboard', () => {
  const text = 'x'.repeat(1_000_000)
  const log = logOf(['stdout', text])
  expect(log.rowCount).toBe(500)
  expect(log.toText()).toBe(text)
})

test('fifty thousand lines are read without a wait', () => {
  const log = new OutputLog()
  const started = performance.now()
  for (let n = 0; n < 50_000; n++) log.append({ at: n, stream: 'stdout', text: `line ${n}\n` })
  expect(performance.now() - started).toBeLessThan(5000)
  expect([log.rowCount, log.blocks.length]).toEqual([50_000, 1250])
})

test('a line too long for one row is not cut within a character', () => {
  const log = logOf(['stdout', `a${'😀'.repeat(1500)}`])
  expect(rowsOf(log).map((row) => row.isWellFormed())).toEqual([true, true])
  expect(log.toText()).toBe(`a${'😀'.repeat(1500)}`)
})
