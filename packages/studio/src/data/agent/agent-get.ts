import { queryOptions } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from '../call.ts'

export const agentQuery = (name: string) =>
  queryOptions({
    queryKey: ['agent', 'one', name],
    queryFn: ({ signal }) => call(routes.agents.get, { params: { name } }, { signal }),
  })
