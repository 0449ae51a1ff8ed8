import { useQuery } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from '../call.ts'

/** Providers and their models, and what is used where none is named. */
export const useModelList = () =>
  useQuery({
    queryKey: ['model', 'list'],
    queryFn: ({ signal }) => call(routes.models.list, {}, { signal }),
    staleTime: 60_000,
  })
