import { expect, test } from 'vitest'
import type { Terminal } from '../terminal.ts'
import { createOutputPrinter } from './output-printer.ts'

test('createOutputPrinter() keeps what the server says of packages out of the output of the program', () => {
  const written = { out: '', error: '' }
  const terminal = {
    isTerminal: () => false,
    write: (channel: 'out' | 'error', text: string | Uint8Array) => void (written[channel] += String(text)),
  } as Partial<Terminal> as Terminal
  const printer = createOutputPrinter(terminal, {})
  printer.print({ at: 0, stream: 'info', text: '[Fetching 3 of 12 packages, 8 MB]' })
  printer.print({ at: 2, stream: 'info', text: '[of the program]' })
  printer.end()
  expect(written).toEqual({ out: '[of the program]\n', error: '[Fetching 3 of 12 packages, 8 MB]\n' })
})
