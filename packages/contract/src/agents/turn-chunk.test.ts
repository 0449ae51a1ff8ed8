import { expect, test } from 'vitest'
import { turnChunk } from './turn-chunk.ts'

const turnId = `turn_${'0'.repeat(26)}`

test('turnChunk keeps what the AI SDK adds to its own chunks', () => {
  const chunk = { type: 'text-delta', id: '0', delta: 'a', providerMetadata: { openai: { itemId: 'x' } } }
  expect(turnChunk.parse(chunk)).toEqual(chunk)
})

test.each([
  { type: 'data-retry', data: { attempt: 1 }, transient: true },
  { type: 'data-restart', data: { steps: 1, step: 2 }, transient: true },
  { type: 'data-restart', data: { steps: 1 } },
  { type: 'data-ending', data: { kind: 'leaving', message: 'Another server goes on with it' } },
  { type: 'finish', messageMetadata: { turnId }, more: true },
  { type: 'start', messageId: turnId, messageMetadata: { turnId } },
  { type: 'text-delta', id: '0' },
  { type: 'data-other', data: {} },
])('turnChunk refuses $type in another form than the server sends', (chunk) => {
  expect(turnChunk.safeParse(chunk).success).toBe(false)
})
