// @vitest-environment happy-dom
import type { InboxItem } from '@coherex/contract'
import { useQueryClient } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { act, useEffect } from 'react'
import { expect, test, vi } from 'vitest'
import { openPage, type OpenPage } from '../../tests/open-page.tsx'
import { refetchNouns } from '../data/query/noun.ts'
import { InboxWatch } from './inbox-watch.tsx'

const itemAt = (minute: number): InboxItem => ({
  ...{ id: `apr_${minute}`, kind: 'approval', title: `coder asks to use bash`, summary: 'cat .env', url: '', count: 1 },
  ...{ at: `2026-01-01T00:0${minute}:00.000Z`, by: { kind: 'agent', name: 'coder' }, isDismissible: false },
  where: { thread: { id: 'thr_1', title: 'Private matters' } },
})

let page: OpenPage
let changed: () => Promise<void>

function Watch() {
  const queryClient = useQueryClient()
  useEffect(() => {
    changed = () => refetchNouns(queryClient, ['inbox'])
  }, [queryClient])
  return <InboxWatch />
}

/** The server says that the inbox changed, and gives this. */
async function arrive(items: InboxItem[]) {
  await act(async () => void changed())
  for (const { answer } of page.takeRequests()) await answer(200, { items, nextCursor: null })
}

test('InboxWatch tells the title of what is new while the window is hidden, and nothing else', async () => {
  const told: unknown[][] = []
  vi.stubGlobal('Notification', function Notification(this: EventTarget, ...given: unknown[]) {
    told.push(given)
    return new EventTarget()
  })
  const isHidden = vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)
  const router = createRouter({ routeTree: createRootRoute({ component: Watch }), history: createMemoryHistory() })
  page = await openPage(<RouterProvider router={router as never} />)
  for (const { answer } of page.takeRequests()) await answer(200, { items: [], nextCursor: null })
  await arrive([itemAt(2)])
  await arrive([itemAt(2), itemAt(1)])
  isHidden.mockReturnValue(false)
  await arrive([itemAt(3), itemAt(2)])
  isHidden.mockReturnValue(true)
  await arrive([itemAt(3), itemAt(2)])
  expect(told).toEqual([['coder asks to use bash', { tag: 'apr_2', icon: '/favicon.svg' }]])
})
