// @vitest-environment happy-dom
import { act } from 'react'
import { expect, test } from 'vitest'
import { messageOf, openBlocks } from '../../tests/open-blocks.tsx'

const text =
  '```python title="Load"\nx = 1\n```\n\n```text\nno code\n```\n\n- in a list:\n  ```go\n  package main\n  ```\n'

const blocks = () =>
  [...document.querySelectorAll('section[aria-label^="Block: "]')].map((one) => one.getAttribute('aria-label'))

test('fences in a language that runs are blocks, others stay code', async () => {
  await openBlocks(messageOf(text))
  expect(blocks()).toEqual(['Block: Load', 'Block: Go'])
})

test('Run starts a block on the server once, however often it is pressed', async () => {
  const { button, press, takeRequests } = await openBlocks(messageOf(text))
  await press(button('Run'))
  await press(button('Run'))
  const requests = takeRequests().filter(({ method }) => method.toLowerCase() === 'post')
  expect(requests.map(({ path, body }) => ({ path, body }))).toEqual([
    { path: '/api/v1/threads/thr_1/messages/msg_1/executions?wait=false', body: { index: 0, runtime: 'server' } },
  ])
  await act(async () => requests[0]?.answer(409, { error: { code: 'conflict', message: 'It cannot be.' } }))
})

test('a block can be exported as a tool, which its title names', async () => {
  const { button, press } = await openBlocks(messageOf(text))
  await press(button('More for this block'))
  const item = [...document.querySelectorAll('[role="menuitem"]')].find((one) =>
    one.textContent.startsWith('Export as'),
  )
  await press(item as HTMLButtonElement)
  await expect.poll(() => document.querySelector('[role="dialog"] h2')?.textContent).toBe('Export as tool')
  expect(document.querySelector<HTMLInputElement>('[role="dialog"] input')?.value).toBe('load')
})

test('two fences with the same text are two blocks, in one text and in two', async () => {
  const equal = '```go\npackage main\n```\n'
  const { takeRequests } = await openBlocks(
    messageOf(`${equal}\n- in a list:\n  \`\`\`go\n  package main\n  \`\`\`\n`, equal),
  )
  const runs = [...document.querySelectorAll('button')].filter(({ textContent }) => textContent === 'Run')
  for (const one of runs) await act(async () => one.click())
  const bodies = takeRequests().flatMap(({ method, body }) => (method.toLowerCase() === 'post' ? [body] : []))
  expect(bodies).toEqual([0, 1, 2].map((index) => ({ index, runtime: 'server' })))
})

test('fences of what a person said are blocks, and the words around them stay as they were written', async () => {
  const said = messageOf('Why does\nthis fail?\n\n```text\nlog\n```\n\n```go\npackage main\n```\nThanks')
  const { button, press, takeRequests } = await openBlocks({ ...said, role: 'user' })
  expect(blocks()).toEqual(['Block: Go'])
  expect(document.body.textContent).toContain('Thanks')
  await press(button('Run'))
  const bodies = takeRequests().flatMap(({ method, body }) => (method.toLowerCase() === 'post' ? [body] : []))
  expect(bodies).toEqual([{ index: 1, runtime: 'server' }])
})

test('a fence within a Markdown block is no block of the message', async () => {
  await openBlocks(messageOf('````md title="Note"\n```go\npackage main\n```\n````\n\n```go\npackage main\n```\n'))
  expect(blocks()).toEqual(['Block: Note', 'Block: Go'])
})
