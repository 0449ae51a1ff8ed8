import { applyChunk, type LiveAnswer, type Message, type TurnChunk } from '@coherex/contract'
import { expect, test } from 'vitest'
import { withLive } from './with-live.ts'

const said: TurnChunk[] = [
  { type: 'start', messageId: 'msg_1', messageMetadata: { turnId: 'turn_1' } },
  { type: 'start-step' },
  { type: 'text-start', id: '0' },
  { type: 'text-delta', id: '0', delta: 'I will ' },
  { type: 'text-delta', id: '0', delta: 'look.' },
  { type: 'text-end', id: '0' },
  { type: 'tool-input-start', toolCallId: 'a', toolName: 'bash' },
  { type: 'tool-input-available', toolCallId: 'a', toolName: 'bash', input: { command: 'ls' } },
  { type: 'tool-output-available', toolCallId: 'a', output: { text: 'fil' }, preliminary: true },
  { type: 'tool-output-available', toolCallId: 'a', output: { text: 'files' } },
]
const more: TurnChunk[] = [
  { type: 'start-step' },
  { type: 'text-start', id: '0' },
  { type: 'text-delta', id: '0', delta: 'There are' },
]

/** The answer after each chunk. */
function hear(chunks: readonly TurnChunk[]): LiveAnswer[] {
  let answer: LiveAnswer = { id: undefined, parts: [], before: 0, retry: undefined }
  return chunks.map((chunk) => (answer = applyChunk(answer, chunk)))
}

function store(parts: LiveAnswer['parts']): Message[] {
  const at = '2026-01-01T00:00:00.000Z'
  const by = { id: 'agent', name: 'coder' }
  const id = 'msg_1' as Message['id']
  const message = { id, parentId: null, createdAt: at, createdBy: by, turnId: null, siblings: [] }
  return [{ ...message, role: 'assistant', parts: [...parts] }]
}

test('what is heard again from its beginning is shown when it has all that is stored', () => {
  const stored = store(hear(said).at(-1)?.parts ?? [])
  const shown = hear([...said, ...more]).map((answer) => withLive(stored, answer)[0]?.parts)
  const whole = stored[0]?.parts
  expect(shown.slice(0, said.length)).toEqual(said.map(() => whole))
  expect(shown.slice(said.length).map((parts) => parts?.at(-1)?.['text'])).toEqual([undefined, '', 'There are'])
})

test('words that follow words of an earlier turn take nothing of them away while they are heard again', () => {
  const words = (text: string) => [{ type: 'text', text, state: 'done' }]
  const answer = (text: string): LiveAnswer => ({ id: 'msg_1', parts: words(text), before: 0, retry: undefined })
  const shown = (text: string) => withLive(store(words('one two')), answer(text))[0]?.parts[0]?.['text']
  expect([shown('one'), shown('one two'), shown('one two three')]).toEqual(['one two', 'one two', 'one two three'])
})

test('words of a turn that goes on come after those of the turn before', () => {
  const stored = store([{ type: 'text', text: 'Before.' }])
  const answer = { id: 'msg_1', parts: [{ type: 'text', text: 'And on.' }], before: 1, retry: undefined }
  expect(withLive(stored, answer)[0]?.parts.map(({ text }) => text)).toEqual(['Before.', 'And on.'])
})

test('messages beside the one that is written, and all while none is, stay as they are', () => {
  const stored = store([])
  expect(withLive(stored, undefined)).toBe(stored)
  expect(withLive(stored, { id: 'msg_2', parts: [{ type: 'text', text: 'x' }], before: 0, retry: undefined })).toEqual(
    stored,
  )
})
