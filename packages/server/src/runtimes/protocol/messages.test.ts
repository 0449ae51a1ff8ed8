import { expect, test } from 'vitest'
import { readGuestMessage } from './messages.ts'

test('[protocol.5] readGuestMessage() keeps what is known and drops the rest', () => {
  expect(readGuestMessage({ type: 'output', stream: 'stdout', text: 'hi', at: 12 })).toEqual({
    type: 'output',
    stream: 'stdout',
    text: 'hi',
  })
  expect(
    readGuestMessage({ type: 'error', error: { kind: 'runtime', message: 'm', line: 3, column: 'x', extra: 1 } }),
  ).toEqual({ type: 'error', error: { kind: 'runtime', message: 'm', line: 3 } })
  expect(readGuestMessage({ type: 'result', value: null })).toEqual({ type: 'result', value: null })
  expect(readGuestMessage({ type: 'result' })).toEqual({ type: 'result' })
})

test.each([
  null,
  [],
  'ready',
  { type: 'nonsense' },
  { type: 'output', stream: 'constructor', text: 'hi' },
  { type: 'output', stream: 'stdout', text: 7 },
  { type: 'display', data: {} },
  { type: 'call', id: -1, capability: 'FILES', method: 'read', args: [] },
  { type: 'error', error: { kind: 'timeout', message: 'a guest cannot claim a verdict of the host' } },
  { type: 'file', path: 'a', base64: 'eA==' },
  { type: 'done', exitCode: 1.5, truncated: false, filesLeftOut: 0 },
])('[protocol.5] readGuestMessage() refuses %j', (message) => {
  expect(readGuestMessage(message)).toBeUndefined()
})
