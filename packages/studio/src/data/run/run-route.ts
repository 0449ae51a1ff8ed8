import type { RouteRequest } from '@coherex/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from '../query/call.ts'

/** Which runtime would take a run, asked anew when the file that it runs has changed. */
export const runRouteQuery = (body: RouteRequest<typeof routes.runs.route>['body'], fileHash: string) =>
  queryOptions({
    queryKey: ['run-route', body, fileHash],
    queryFn: ({ signal }) => call(routes.runs.route, { body }, { signal }),
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 10_000,
  })
