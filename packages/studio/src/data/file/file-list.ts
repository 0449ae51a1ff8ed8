import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from '../call.ts'

/** Every file of a workspace as it is now. */
export const fileListQuery = (id: string) =>
  queryOptions({
    queryKey: ['file', id, 'list'],
    queryFn: ({ signal }) => call(routes.workspaces.listFiles, { params: { id } }, { signal }),
    placeholderData: keepPreviousData,
  })
