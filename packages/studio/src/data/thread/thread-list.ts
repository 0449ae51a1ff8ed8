import { routes } from 'virtual:contract-routes'
import { call } from '../call.ts'
import { usePages } from '../use-pages.ts'

export const useThreadList = ({ search, limit = 40 }: { search: string; limit?: number }) =>
  usePages({
    queryKey: ['thread', 'list', search, limit],
    fetchPage: (cursor, signal) =>
      call(routes.threads.list, { query: { limit, ...(search && { search }), ...cursor } }, { signal }),
    keepsLast: true,
  })
