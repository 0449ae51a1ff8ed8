import { expect, test } from 'vitest'
import { keptPart } from './kept-part.ts'

const call = { type: 'tool-bash', toolCallId: 'a', input: { command: 'ls' } }
const image = { type: 'file', mediaType: 'image/png', filename: 'dot.png', url: 'data:image/png;base64,iVBORw0KGgo=' }

test.each([
  { type: 'text', text: 'Hello' },
  { type: 'step-start' },
  image,
  { ...call, state: 'input-streaming' },
  { ...call, state: 'output-available', output: { text: 'a', displays: [{ 'text/plain': 'b' }], data: [1] } },
  { ...call, state: 'output-error', errorText: 'no' },
  { ...call, state: 'output-denied', approval: { id: 'apr_1', approved: false } },
  { type: 'data-note', data: 1 },
])('a part of ours is kept as it is: %j', (part) => {
  expect(keptPart.parse(part)).toEqual(part)
})

test.each([
  [{ type: 'text' }, 'text'],
  [{ type: 'video' }, ''],
  [{ ...image, url: 'https://example.org/x.png' }, 'url'],
  [{ ...image, url: 'file:///etc/passwd' }, 'url'],
  [{ ...call, state: 'output-available', output: { text: 'a', displays: 'x' } }, 'output.displays'],
  [{ ...call, state: 'output-available' }, 'output'],
  [{ ...call, state: 'output-denied' }, 'approval'],
  [{ ...call, state: 'dreaming' }, 'state'],
])('a damaged part is refused by the field that is wrong: %j', (part, field) => {
  const { error } = keptPart.safeParse(part)
  expect(error?.issues[0]?.path.join('.')).toBe(field)
})
