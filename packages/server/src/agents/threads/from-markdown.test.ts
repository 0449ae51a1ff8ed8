import type { Thread } from '@coherex/contract'
import { expect, test } from 'vitest'
import { fromMarkdown } from './from-markdown.ts'
import { toMarkdown } from './to-markdown.ts'

const createdAt = '2026-11-16T10:00:00.000Z'
const message = (role: 'user' | 'assistant', name: string, text: string) =>
  ({
    role,
    parts: [{ type: 'text', text }],
    createdAt,
    createdBy: { id: '', name },
  }) as unknown as Thread['messages'][0]

test('what was exported as Markdown comes back, whatever its words look like', () => {
  const said = [
    '# Not a title\n\n## nobody\n\n```md\n<!-- message of user, now -->\n## x\n```',
    '\\<!-- message of all',
  ]
  const messages = said.flatMap((text) => [message('user', 'Olga Owner', text), message('assistant', 'coder', text)])
  const file = fromMarkdown(toMarkdown({ title: 'A talk', agent: 'coder', messages }))
  expect(file).toMatchObject({ kind: 'coherex-thread', agent: 'coder', title: 'A talk' })
  expect(file.messages.map(({ role, createdBy, parts }) => [role, createdBy, parts[0]?.['text']])).toEqual([
    ['user', 'Olga Owner', said[0]],
    ['assistant', 'coder', said[0]],
    ['user', 'Olga Owner', said[1]],
    ['assistant', 'coder', said[1]],
  ])
  expect(file.messages.map(({ parentId }) => parentId)).toEqual([null, '0', '1', '2'])
})

test('a call stands in it as words', () => {
  const output = { text: 'two\nlines' }
  const parts = [{ type: 'tool-bash', toolCallId: 'a', state: 'output-available', input: { command: 'ls' }, output }]
  const messages = [{ ...message('assistant', 'coder', ''), parts }] as Thread['messages']
  const { messages: back } = fromMarkdown(toMarkdown({ title: '', agent: 'coder', messages }))
  expect(back[0]?.parts[0]?.['text']).toContain('**bash**')
  expect(back[0]?.parts[0]?.['text']).toContain('two\nlines')
})

test('what is no exported conversation, or a damaged one, is refused with the reason', () => {
  expect(() => fromMarkdown('# Notes\n\nHello')).toThrow('This is no conversation that was exported as Markdown')
  const damaged = '<!-- conversation with coder -->\n# A\n\n<!-- message of user, yesterday -->\n## Olga\n\nHi\n'
  expect(() => fromMarkdown(damaged)).toThrow('messages.0.createdAt: ')
})
