import { queryOptions } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from './query/call.ts'
import { useCall } from './query/use-call.ts'
import { usePages } from './query/use-pages.ts'

/** What waits for me; with kinds only those, separated by commas. */
export const useInboxList = (kinds: string | undefined) =>
  usePages({
    queryKey: ['inbox', 'list', kinds],
    fetchPage: (cursor, signal) =>
      call(routes.inbox.list, { query: { ...(kinds && { kinds }), ...cursor } }, { signal }),
    keepsLast: true,
  })

/** The newest of it, for telling me while I look elsewhere. */
export const newestInboxQuery = queryOptions({
  queryKey: ['inbox', 'newest'],
  queryFn: ({ signal }) => call(routes.inbox.list, { query: { limit: 10 } }, { signal }),
})

export const inboxCountQuery = queryOptions({
  queryKey: ['inbox', 'count'],
  queryFn: ({ signal }) => call(routes.inbox.count, {}, { signal }),
})

export const useInboxDismiss = () => useCall(routes.inbox.dismiss, { changes: ['inbox'] })
