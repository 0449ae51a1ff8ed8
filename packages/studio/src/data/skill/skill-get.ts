import { queryOptions } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from '../call.ts'

export const skillQuery = (name: string) =>
  queryOptions({
    queryKey: ['skill', 'one', name],
    queryFn: ({ signal }) => call(routes.skills.get, { params: { name } }, { signal }),
  })
