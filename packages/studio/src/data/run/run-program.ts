import { queryOptions } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from '../query/call.ts'

/** The code of a run. It never changes, so it is fetched once. */
export const runProgramQuery = (id: string) =>
  queryOptions({
    queryKey: ['run-program', id],
    queryFn: ({ signal }) => call(routes.runs.program, { params: { id } }, { signal }),
    staleTime: Infinity,
  })
