import { queryOptions } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from '../call.ts'

/** A turn as it goes: fetched again when the server says that something of it changed. */
export const timelineQuery = (id: string) =>
  queryOptions({
    queryKey: ['execution', 'timeline', id],
    queryFn: ({ signal }) => call(routes.executions.timeline, { params: { id } }, { signal }),
  })
