// @vitest-environment happy-dom
import type { Message, Thread } from '@coherex/contract'
import { createMemoryHistory, createRootRoute, createRouter, RouterContextProvider } from '@tanstack/react-router'
import { act } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { artifactOf, messageOf } from '../../../../tests/open-blocks.tsx'
import { openPage } from '../../../../tests/open-page.tsx'
import { artifactsQuery } from '../../../data/artifact.ts'
import { createQueryClient } from '../../../data/query/query-client.ts'
import { useOfferedCommands } from '../../../shell/palette/page-commands.ts'
import { MessageList, type MessageActions } from '../message-list.tsx'
import { ThreadBench } from './thread-bench.tsx'

const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() })
const at = '2026-01-01T00:00:00.000Z'
const thread = {
  ...{ id: 'thr_1', agent: 'coder', model: 'compatible/small', title: 'Sums', pinned: false, reach: 'private' },
  ...{ startedBy: 'person', isArchived: false, isHidden: false, activity: 'idle', turnId: null, workspaceId: null },
  ...{ sandboxId: null, skill: null, triesDefinition: false, createdAt: at, updatedAt: at, messages: [], queued: [] },
  ...{ createdBy: { id: 'per_1', name: 'Olga' } },
  use: { inputTokens: 1_200, cachedInputTokens: 0, outputTokens: 34, costUsd: 0.25, durationMs: 2_000 },
} as Thread
const actions: MessageActions = {
  edit: async () => true,
  show: () => undefined,
  regenerate: () => undefined,
  continue: () => undefined,
}

function Offered() {
  return <output>{useOfferedCommands().map(({ label }) => `${label}\n`)}</output>
}

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})

async function openBench(message: Message, of: Partial<Thread> = {}) {
  const shown = { ...thread, ...of }
  const queryClient = createQueryClient()
  queryClient.setQueryData(artifactsQuery(thread.id).queryKey, [artifactOf()])
  const messages = [message]
  const page = await openPage(
    <RouterContextProvider router={router}>
      <ThreadBench thread={shown} messages={messages} turns={[]} isBusy={false}>
        <MessageList {...{ thread: shown, messages, turns: [], isBusy: false, isLocked: false, actions, saidCount: 0 }}>
          {null}
        </MessageList>
      </ThreadBench>
      <Offered />
    </RouterContextProvider>,
    queryClient,
  )
  /** What is loaded later comes in turns of its own. */
  const see = (what: () => unknown) =>
    vi.waitFor(
      async () => {
        await act(() => new Promise<void>((done) => setTimeout(done)))
        expect(what()).toBeTruthy()
      },
      { timeout: 20_000 },
    )
  return { ...page, see }
}

const dock = () => [...document.querySelectorAll<HTMLElement>('[data-dock=right]')].at(-1)
const log = () => document.querySelector('[role=log]')
const tabs = () => [...document.querySelectorAll<HTMLElement>('[role=tab]')].map(({ title }) => title)
const tab = (name: string) =>
  [...document.querySelectorAll<HTMLButtonElement>('[role=tab]')].find(({ title }) => title === name)

test('a block opens beside its message, and is back in it when the dock is shut', async () => {
  const page = await openBench(messageOf('Here:\n\n```python title="sum.py"\nx = 1\n```\n'))
  await page.see(() => log()?.querySelector('[aria-label="Block: sum.py"]'))
  expect([dock()?.hidden, dock()?.textContent]).toEqual([true, ''])
  await page.press(page.button('Open beside'))
  await page.see(() => dock()?.querySelector('[aria-label="Block: sum.py"]'))
  expect(tabs()).toEqual(['sum.py', 'Files', 'Changes', 'Details'])
  expect(log()?.querySelector('[aria-label="Block: sum.py"]')).toBeNull()
  expect(log()?.textContent).toContain('sum.py is open beside')
  // nothing is opened beside what is beside
  expect(dock()?.querySelector('[aria-label="Open beside"]')).toBeNull()

  await page.press(page.button('Show here'))
  await page.see(() => log()?.querySelector('[aria-label="Block: sum.py"]'))
  expect(tabs()).toEqual(['Files', 'Changes', 'Details'])
  await page.press(page.button('Open beside'))
  await page.press(page.button('Close the right dock'))
  await page.see(() => log()?.querySelector('[aria-label="Block: sum.py"]'))
  expect(dock()?.hidden).toBe(true)
})

test('code that does not run opens beside its message too, and stays in it', async () => {
  const page = await openBench(messageOf('```toml title="config.toml"\nport = 1\n```'))
  await page.press(page.button('Open beside'))
  await page.see(() => dock()?.textContent.includes('port = 1'))
  expect([tabs()[0], log()?.textContent.includes('port = 1')]).toEqual(['config.toml', true])
})

test('the dock tells agent, model and cost, and remembers that it is open', async () => {
  const message = messageOf('Hello')
  const page = await openBench(message)
  await page.press(page.button('Open the right dock'))
  await page.see(() => dock()?.textContent.includes('No files yet'))
  await page.press(tab('Details') as HTMLButtonElement)
  await page.see(() => dock()?.textContent.includes('compatible/small'))
  expect(dock()?.textContent).toMatch(/Agentcoder.*Visible toOnly its author.*1\.2k in, 34 out.*\$0\.25/)
  await page.press(tab('Changes') as HTMLButtonElement)
  await page.see(() => dock()?.textContent.includes('No changes yet'))

  const again = await openBench(message)
  await again.see(() => dock()?.textContent.includes('No changes yet'))
})

test('a conversation with the builder has the definition in its dock from the start', async () => {
  const page = await openBench(messageOf('What should it do?'), { agent: 'builder' })
  await page.see(() => dock()?.textContent.includes('No definition yet'))
  expect([dock()?.hidden, tabs()]).toEqual([false, ['Definition', 'Files', 'Changes', 'Details']])
})

test('the palette offers what can be done with the conversation', async () => {
  await openBench(messageOf('Hello'))
  expect(document.querySelector('output')?.textContent.split('\n').slice(0, -1)).toEqual([
    'Rename conversation',
    'Pin conversation',
    'Share with team…',
    'Archive conversation',
    'Export conversation as Markdown',
  ])
})

test('on a narrow screen the dock is a tab beside the messages', async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener() {}, removeEventListener() {} }))
  const page = await openBench(messageOf('```python title="sum.py"\nx = 1\n```'))
  await page.see(() => log()?.querySelector('[aria-label="Block: sum.py"]'))
  const regions = () => [...document.querySelectorAll('[aria-label="Part of the page"] [role=radio]')]
  expect(regions().map(({ textContent }) => textContent)).toEqual(['Messages', 'Files'])
  await page.press(page.button('Open beside'))
  await page.see(() => dock()?.querySelector('[aria-label="Block: sum.py"]'))
  expect([regions().map(({ textContent }) => textContent), dock()?.hidden]).toEqual([['Messages', 'sum.py'], false])
  expect(log()?.closest('[hidden]')).not.toBeNull()
  await page.press(page.button('Show here'))
  expect([log()?.closest('[hidden]'), dock()?.hidden]).toEqual([null, true])
})
