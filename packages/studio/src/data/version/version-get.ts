import { queryOptions } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from '../call.ts'

export const versionQuery = (id: string, number: number) =>
  queryOptions({
    queryKey: ['version', id, number],
    queryFn: ({ signal }) => call(routes.workspaces.getVersion, { params: { id, number } }, { signal }),
  })
