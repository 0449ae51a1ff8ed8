import type { Artifact, Message, Run } from '@coherex/contract'
import { createMemoryHistory, createRootRoute, createRouter, RouterContextProvider } from '@tanstack/react-router'
import { act } from 'react'
import { MessageBlocks, SaidBlocks } from '../src/artifact/message-blocks.tsx'
import { artifactsQuery } from '../src/data/artifact.ts'
import { createQueryClient } from '../src/data/query/query-client.ts'
import { runQuery } from '../src/data/run/run-get.ts'
import { Markdown } from '../src/markdown/markdown.tsx'
import { openPage } from './open-page.tsx'

// where a block leads is no part of these
const router = createRouter({ routeTree: createRootRoute(), history: createMemoryHistory() })

const place = { threadId: 'thr_1', messageId: 'msg_1', index: 0 }

/** An answer of an agent with these texts as its parts. */
export const messageOf = (...texts: string[]) =>
  ({
    ...{ id: place.messageId, parentId: null, role: 'assistant', createdAt: '2026-01-01T00:00:00.000Z', turnId: null },
    ...{ siblings: [], createdBy: { id: 'x', name: 'coder' } },
    parts: texts.map((one) => ({ type: 'text', text: one })),
  }) as Message

export const artifactOf = (change: Partial<Artifact> = {}): Artifact => ({
  ...{ id: 'art_1', ...place, kind: 'code', language: 'python', title: null, code: 'x = 1', version: 1, runId: null },
  ...{ reach: 'team', updatedAt: '2026-01-01T00:00:00.000Z', updatedBy: { id: 'per_1', name: 'Olga' } },
  ...change,
})

export const runOf = (change: Partial<Run> = {}): Run => ({
  ...{ id: 'run_1', status: 'succeeded', language: 'python', runtime: null, output: [], files: [], truncated: false },
  ...{ queuedMs: 0, durationMs: 12, peakMemoryMb: null, createdAt: '2026-11-17T12:00:00.000Z', startedAt: null },
  ...{ endedAt: null, codeHash: '', createdBy: { id: 'per_1', name: 'Olga' }, signs: [], requests: [] },
  ...{ artifactVersion: 1 },
  ...change,
})

/** The blocks of a message on a page without a server; `runs` are known to it. */
export async function openBlocks(
  message: Message,
  { artifacts = [], runs = [] }: { artifacts?: Artifact[]; runs?: Run[] } = {},
) {
  const queryClient = createQueryClient()
  queryClient.setQueryData(artifactsQuery(place.threadId).queryKey, artifacts)
  for (const run of runs) queryClient.setQueryData(runQuery(run.id).queryKey, run)
  const page = await openPage(
    <RouterContextProvider router={router}>
      {message.role === 'user' ? (
        <SaidBlocks threadId={place.threadId} message={message} />
      ) : (
        <MessageBlocks threadId={place.threadId} message={message}>
          {message.parts.map((part, index) => (
            <Markdown key={index} text={String(part['text'])} part={index} />
          ))}
        </MessageBlocks>
      )}
    </RouterContextProvider>,
    queryClient,
  )
  const atFirst = page.takeRequests()
  return {
    ...page,
    /** What the page asked for when it was opened. */
    takeAtFirst: () => atFirst.splice(0),
    queryClient,
    /** Chooses from the menu behind a button. */
    async choose(menu: string, item: string) {
      await page.press(page.button(menu))
      const found = [...document.querySelectorAll('[role^="menuitem"]')].find((one) => one.textContent.startsWith(item))
      if (!found) throw new Error(`There is no "${item}" in ${document.body.innerHTML}`)
      await act(async () => (found as HTMLElement).click())
    },
    /** Requests that change something, as they were sent. */
    posts: () => page.takeRequests().filter(({ method }) => method.toLowerCase() !== 'get'),
  }
}
