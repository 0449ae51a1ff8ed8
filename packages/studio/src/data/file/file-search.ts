import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from '../call.ts'

export interface TextQuery {
  pattern: string
  regex: boolean
  matchCase: boolean
}

/** Lines of the files that have a text in them. */
export const fileSearchQuery = (id: string, { pattern, regex, matchCase }: TextQuery) =>
  queryOptions({
    queryKey: ['file', id, 'search', { pattern, regex, matchCase }],
    queryFn: ({ signal }) =>
      call(
        routes.workspaces.search,
        {
          params: { id },
          query: { pattern, regex: regex ? 'true' : 'false', matchCase: matchCase ? 'true' : 'false' },
        },
        { signal },
      ),
    enabled: pattern !== '',
    placeholderData: keepPreviousData,
  })
