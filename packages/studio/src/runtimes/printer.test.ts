import { expect, test } from 'vitest'
import { createPrinter, fit } from './printer.ts'
import type { WorkerMessage } from './runtime-messages.ts'

test('fit() keeps the smallest forms that there is room for', () => {
  const data = { 'text/html': 'x'.repeat(500), 'text/plain': 'short' }
  expect(fit(data, 1_000)).toEqual(data)
  expect(fit(data, 100)).toEqual({ 'text/plain': 'short' })
  expect(fit({ 'image/png': 'x'.repeat(500) }, 100)).toEqual({ 'text/plain': expect.stringContaining('too large') })
})

test('createPrinter() sends no more than the server takes, of text and displays together', () => {
  const sent: WorkerMessage[] = []
  const printer = createPrinter(
    (message) => sent.push(message),
    () => 0,
    () => 0,
  )
  for (let at = 0; at < 3_000; at++) {
    printer.print('stdout', 'x'.repeat(100))
    printer.display({ 'text/plain': 'y'.repeat(100) })
  }
  printer.flush()
  const lines = sent.flatMap((message) => (message.type === 'output' ? message.lines : []))
  expect(lines.length).toBeLessThanOrEqual(1_900)
  expect(JSON.stringify(lines).length).toBeLessThan(500_000)
  expect(sent.at(-1)).toMatchObject({ truncated: true })
})
