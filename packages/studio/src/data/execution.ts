import type { RouteRequest } from '@coherex/contract'
import { queryOptions } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from './query/call.ts'
import { useCall } from './query/use-call.ts'
import { usePages } from './query/use-pages.ts'

export type ExecutionQuery = Omit<NonNullable<RouteRequest<typeof routes.executions.list>['query']>, 'cursor' | 'limit'>

export const useExecutionList = (query: ExecutionQuery) =>
  usePages({
    queryKey: ['execution', query],
    fetchPage: (cursor, signal) =>
      call(routes.executions.list, { query: { ...query, limit: 50, ...cursor } }, { signal }),
    keepsLast: true,
  })

/** A turn as it goes: fetched again when the server says that something of it changed. */
export const timelineQuery = (id: string) =>
  queryOptions({
    queryKey: ['execution', 'timeline', id],
    queryFn: ({ signal }) => call(routes.executions.timeline, { params: { id } }, { signal }),
  })

/** What doing it again would do, looked up each time it is about to be. */
export const executionAgainQuery = (id: string) =>
  queryOptions({
    queryKey: ['execution', 'again', id],
    queryFn: ({ signal }) => call(routes.executions.again, { params: { id } }, { signal }),
  })

export const useExecutionRetry = () =>
  useCall(routes.executions.retry, { changes: ['execution', 'run', 'thread', 'approval', 'inbox'] })
