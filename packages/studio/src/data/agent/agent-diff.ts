import { useQuery } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from '../call.ts'

/** What changed between two versions. They never change, so it is fetched once. */
export const useAgentDiff = (name: string, versions: { from: number; to: number }) =>
  useQuery({
    queryKey: ['agent-diff', name, versions],
    queryFn: ({ signal }) => call(routes.agents.diff, { params: { name }, query: versions }, { signal }),
    enabled: versions.from >= 1,
    staleTime: Infinity,
  })
