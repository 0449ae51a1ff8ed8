import { queryOptions } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from '../query/call.ts'

/** A conversation with the branch that is shown. */
export const threadQuery = (id: string) =>
  queryOptions({
    queryKey: ['thread', 'one', id],
    queryFn: ({ signal }) => call(routes.threads.get, { params: { id } }, { signal }),
  })
