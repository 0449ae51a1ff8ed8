import type { QueryClient } from '@tanstack/react-query'
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { act } from 'react'
import { vi } from 'vitest'
import { meQuery } from '../src/data/access/me.ts'
import { createQueryClient } from '../src/data/query/query-client.ts'
import { createStudioRouter } from '../src/router.tsx'
import { me, openPage, type OpenPage } from './open-page.tsx'

export interface OpenStudio extends OpenPage {
  queryClient: QueryClient
  /** The address that is shown. */
  address(): string
  go(address: string): Promise<void>
  /** Types keys one after the other, in no field. */
  keys(...keys: string[]): Promise<void>
}

/** The whole studio at an address, in a document without a server. */
export async function openStudio(address: string): Promise<OpenStudio> {
  // the socket of live events stays closed
  vi.stubGlobal(
    'WebSocket',
    class {
      close() {}
    },
  )
  const queryClient = createQueryClient()
  queryClient.setQueryData(meQuery.queryKey, me)
  const router = createStudioRouter(queryClient, createMemoryHistory({ initialEntries: [address] }))
  await router.load()
  const page = await openPage(<RouterProvider router={router} />, queryClient)
  return {
    ...page,
    queryClient,
    address: () => router.state.location.href,
    go: (next) =>
      act(async () => {
        await router.navigate({ href: next })
        await router.load()
      }),
    keys: (...keys) =>
      act(async () => {
        for (const key of keys) document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
        await router.load()
      }),
  }
}
