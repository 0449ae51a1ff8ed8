import { useQuery } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from '../query/call.ts'

/** What can be run on this installation, and why not. */
export const useLanguageList = () =>
  useQuery({
    queryKey: ['language'],
    queryFn: ({ signal }) => call(routes.runs.languages, {}, { signal }),
    staleTime: 60_000,
  })
