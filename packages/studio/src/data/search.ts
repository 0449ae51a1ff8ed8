import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from './query/call.ts'

const shortestWord = 2

/** What the server finds by name or by content; nothing is asked for a single letter. */
export const useSearch = (q: string) =>
  useQuery({
    queryKey: ['search', q],
    queryFn: ({ signal }) => call(routes.search.find, { query: { q, limit: 20 } }, { signal }),
    enabled: q.length >= shortestWord,
    placeholderData: keepPreviousData,
    staleTime: 5000,
  })
