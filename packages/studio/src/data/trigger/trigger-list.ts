import { queryOptions } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from '../call.ts'

export const triggersQuery = (name: string) =>
  queryOptions({
    queryKey: ['agent', 'triggers', name],
    queryFn: ({ signal }) => call(routes.triggers.list, { params: { name } }, { signal }),
  })
