import type { RouteRequest } from '@coherex/contract'
import { routes } from 'virtual:contract-routes'
import { call } from '../call.ts'
import { usePages } from '../use-pages.ts'

export type RunQuery = Omit<NonNullable<RouteRequest<typeof routes.runs.list>['query']>, 'cursor' | 'limit'>

export const useRunList = (query: RunQuery) =>
  usePages({
    queryKey: ['run', query],
    fetchPage: (cursor, signal) => call(routes.runs.list, { query: { ...query, limit: 50, ...cursor } }, { signal }),
    keepsLast: true,
  })
