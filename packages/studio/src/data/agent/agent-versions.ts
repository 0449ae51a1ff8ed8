import { routes } from 'virtual:contract-routes'
import { call } from '../call.ts'
import { usePages } from '../use-pages.ts'

export const useAgentVersions = (name: string) =>
  usePages({
    queryKey: ['agent', 'versions', name],
    fetchPage: (cursor, signal) =>
      call(routes.agents.versions, { params: { name }, query: { limit: 50, ...cursor } }, { signal }),
  })
