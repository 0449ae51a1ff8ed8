import type { RouteRequest } from '@coherex/contract'
import { routes } from 'virtual:contract-routes'
import { call } from '../query/call.ts'
import { usePages } from '../query/use-pages.ts'

export type ThreadQuery = Omit<NonNullable<RouteRequest<typeof routes.threads.list>['query']>, 'cursor'>

export const useThreadList = (query: ThreadQuery) =>
  usePages({
    queryKey: ['thread', 'list', query],
    fetchPage: (cursor, signal) => call(routes.threads.list, { query: { limit: 40, ...query, ...cursor } }, { signal }),
    keepsLast: true,
  })
