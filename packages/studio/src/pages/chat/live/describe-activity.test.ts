import type { MessagePart } from '@coherex/contract'
import { expect, test } from 'vitest'
import { describeActivity } from './describe-activity.ts'

const started = { type: 'step-start' }
const words = { type: 'text', text: 'I will', state: 'streaming' }
const code = 'import time\n# Load the sales\ntime.sleep(9)'
const program = {
  type: 'tool-run_code',
  toolCallId: 'a',
  state: 'input-available',
  input: { language: 'python', code },
}
const shell = { type: 'tool-bash', toolCallId: 'b', state: 'input-available', input: { command: 'npm test' } }
const done = { ...program, state: 'output-available', output: { text: '' }, preliminary: false }
const say = (...parts: MessagePart[]) => describeActivity(parts, 'thinking', undefined)

test('describeActivity() says what is seen: thinking, writing, or which tool runs on what', () => {
  expect(say(started)).toBe('Thinking')
  expect(say(started, { ...words, text: '' })).toBe('Thinking')
  expect(say(started, words)).toBe('Writing')
  expect(say(started, words, { type: 'tool-run_code', toolCallId: 'a', state: 'input-streaming' })).toBe(
    'Preparing run code',
  )
  expect(say(started, program)).toBe('Running python · Load the sales')
  expect(say(started, program, shell)).toBe('Running python · Load the sales, and 1 more')
  expect(say(started, done, shell)).toBe('Running bash · npm test')
  expect(say(started, done)).toBe('Thinking')
  expect(say(started, { type: 'tool-read_file', state: 'input-available', input: { path: 'a.ts' } })).toBe(
    'Read file · a.ts',
  )
  expect(describeActivity([words], 'waiting', undefined)).toBe('Waiting for a person')
})
