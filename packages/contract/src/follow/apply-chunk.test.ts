import { expect, test } from 'vitest'
import type { TurnChunk } from '../agents/turn-chunk.ts'
import { applyChunk, beginAnswer, type LiveAnswer } from './apply-chunk.ts'

const nothing = beginAnswer()
const hear = (...chunks: TurnChunk[]) => chunks.reduce(applyChunk, nothing)

test('words grow in the part they belong to, also when a later step uses the same id again', () => {
  const step = (text: string): TurnChunk[] => [
    { type: 'start-step' },
    { type: 'text-start', id: '0' },
    { type: 'text-delta', id: '0', delta: text },
    { type: 'text-delta', id: '0', delta: '!' },
    { type: 'text-end', id: '0' },
  ]
  const { id, parts } = hear(
    { type: 'start', messageId: 'message_1', messageMetadata: { turnId: 'turn_1' } },
    ...step('one'),
    ...step('two'),
  )
  expect(id).toBe('message_1')
  expect(parts.filter(({ type }) => type === 'text').map(({ text, state }) => [text, state])).toEqual([
    ['one!', 'done'],
    ['two!', 'done'],
  ])
})

test('a call goes from its arguments to its result, and calls beside each other do not mix', () => {
  const { parts } = hear(
    { type: 'tool-input-start', toolCallId: 'a', toolName: 'bash' },
    { type: 'tool-input-start', toolCallId: 'b', toolName: 'run_code' },
    { type: 'tool-input-delta', toolCallId: 'a', inputTextDelta: '{"command"' },
    { type: 'tool-input-available', toolCallId: 'a', toolName: 'bash', input: { command: 'ls' } },
    { type: 'tool-input-available', toolCallId: 'b', toolName: 'run_code', input: {} },
    { type: 'tool-output-available', toolCallId: 'a', output: { text: 'It runs.' }, preliminary: true },
    { type: 'tool-output-error', toolCallId: 'b', errorText: 'no such language' },
    { type: 'tool-output-available', toolCallId: 'a', output: { text: 'files' } },
  )
  expect(parts).toMatchObject([
    { type: 'tool-bash', state: 'output-available', output: { text: 'files' }, preliminary: false },
    { type: 'tool-run_code', state: 'output-error', errorText: 'no such language' },
  ])
})

test('a step that is said anew takes the place of what broke off, and earlier ones stay', () => {
  const step = (delta: string): TurnChunk[] => [
    { type: 'start-step' },
    { type: 'text-start', id: '0' },
    { type: 'text-delta', id: '0', delta },
  ]
  const restart: TurnChunk = { type: 'data-restart', data: { steps: 1 }, transient: true }
  const textsOf = ({ parts }: LiveAnswer) => parts.flatMap(({ text = [] }) => text)
  expect(textsOf(hear(...step('one'), ...step('half'), restart, ...step('whole')))).toEqual(['one', 'whole'])
  // a server that takes the turn up says so whether or not the last one had begun with the next step
  expect(textsOf(hear(...step('one'), restart, ...step('whole')))).toEqual(['one', 'whole'])
  const start = (before: number): TurnChunk => ({
    type: 'start',
    messageId: 'message_1',
    messageMetadata: { turnId: 'turn_1', before },
  })
  const live = hear(start(2), ...step('one'), ...step('half'), start(4), restart)
  expect([textsOf(live), live.before]).toEqual([['one'], 2])
})

test('a retry is told until words come, and what is unknown changes nothing', () => {
  const retry = { attempt: 1, reason: 'The provider asks to slow down' }
  const retrying: TurnChunk = { type: 'data-retry', data: retry, transient: true }
  expect(hear(retrying).retry).toEqual(retry)
  expect(hear(retrying, { type: 'start-step' }).retry).toBeUndefined()
  expect(hear({ type: 'text-delta', id: 'x', delta: 'lost' }, { type: 'of-the-future' } as never)).toEqual(nothing)
  // the turn's own ending says it
  expect(hear({ type: 'error', errorText: 'The provider refused the key' })).toEqual(nothing)
})
