// @vitest-environment happy-dom
import type { Message } from '@coherex/contract'
import { createMemoryHistory, createRootRoute, createRouter, RouterContextProvider } from '@tanstack/react-router'
import { act } from 'react'
import { expect, test } from 'vitest'
import { openPage } from '../../tests/open-page.tsx'
import { artifactsQuery } from '../data/artifact.ts'
import { createQueryClient } from '../data/query-client.ts'
import { Markdown } from '../markdown/markdown.tsx'
import { MessageBlocks } from './message-blocks.tsx'

// where a block leads is no part of these
const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() })

const text =
  '```python title="Load"\nx = 1\n```\n\n```text\nno code\n```\n\n- in a list:\n  ```go\n  package main\n  ```\n'
const messageOf = (...texts: string[]) =>
  ({
    ...{
      id: 'msg_1',
      parentId: null,
      role: 'assistant',
      createdAt: '2026-01-01T00:00:00.000Z',
      turnId: null,
      siblings: [],
    },
    createdBy: { id: 'x', name: 'coder' },
    parts: texts.map((one) => ({ type: 'text', text: one })),
  }) as Message

async function openBlocks(message = messageOf(text)) {
  const queryClient = createQueryClient()
  queryClient.setQueryData(artifactsQuery('thr_1').queryKey, [])
  const page = await openPage(
    <RouterContextProvider router={router}>
      <MessageBlocks threadId="thr_1" message={message}>
        {message.parts.map((part, index) => (
          <Markdown key={index} text={String(part['text'])} part={index} />
        ))}
      </MessageBlocks>
    </RouterContextProvider>,
    queryClient,
  )
  page.takeRequests()
  return page
}

const blocks = () =>
  [...document.querySelectorAll('section[aria-label^="Block: "]')].map((one) => one.getAttribute('aria-label'))

test('fences in a language that runs are blocks, others stay code', async () => {
  await openBlocks()
  expect(blocks()).toEqual(['Block: Load', 'Block: Go'])
})

test('Run starts a block on the server once, however often it is pressed', async () => {
  const { button, press, takeRequests } = await openBlocks()
  await press(button('Run'))
  await press(button('Run'))
  const requests = takeRequests().filter(({ method }) => method.toLowerCase() === 'post')
  expect(requests.map(({ path, body }) => ({ path, body }))).toEqual([
    { path: '/api/v1/threads/thr_1/messages/msg_1/executions?wait=false', body: { index: 0, runtime: 'server' } },
  ])
  await act(async () => requests[0]?.answer(409, { error: { code: 'conflict', message: 'It cannot be.' } }))
})

test('a block can be exported as a tool, which its title names', async () => {
  const { button, press } = await openBlocks()
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

test('a fence within a Markdown block is no block of the message', async () => {
  await openBlocks(messageOf('````md title="Note"\n```go\npackage main\n```\n````\n\n```go\npackage main\n```\n'))
  expect(blocks()).toEqual(['Block: Note', 'Block: Go'])
})
