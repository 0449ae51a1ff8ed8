import type { ShareTarget } from '@coherex/contract'
import { queryOptions } from '@tanstack/react-query'
import { routes } from 'virtual:artifact-routes'
import { call } from './query/call.ts'
import { useCall } from './query/use-call.ts'
import { usePages } from './query/use-pages.ts'

/** Links to one thing. */
export const useShares = (of: ShareTarget) =>
  usePages({
    queryKey: ['share', 'of', of],
    fetchPage: (cursor, signal) => call(routes.shares.list, { query: { ...of, limit: 50, ...cursor } }, { signal }),
  })

export const useGallery = () =>
  usePages({
    queryKey: ['share', 'gallery'],
    fetchPage: (cursor, signal) => call(routes.shares.gallery, { query: { limit: 50, ...cursor } }, { signal }),
  })

export const sharedQuery = (id: string, version: number | undefined) =>
  queryOptions({
    queryKey: ['share', 'content', id, version],
    queryFn: ({ signal }) =>
      call(routes.shares.content, { params: { id }, query: version === undefined ? {} : { version } }, { signal }),
  })

export const useShareCreate = () => useCall(routes.shares.create, { changes: ['share'] })
export const useShareRevoke = () => useCall(routes.shares.revoke, { changes: ['share'] })
