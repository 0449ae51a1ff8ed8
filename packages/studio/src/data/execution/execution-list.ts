import type { RouteRequest } from '@coherex/contract'
import { routes } from 'virtual:contract-routes'
import { call } from '../call.ts'
import { usePages } from '../use-pages.ts'

export type ExecutionQuery = Omit<NonNullable<RouteRequest<typeof routes.executions.list>['query']>, 'cursor' | 'limit'>

export const useExecutionList = (query: ExecutionQuery) =>
  usePages({
    queryKey: ['execution', query],
    fetchPage: (cursor, signal) =>
      call(routes.executions.list, { query: { ...query, limit: 50, ...cursor } }, { signal }),
    keepsLast: true,
  })
