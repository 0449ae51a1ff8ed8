import { useQuery } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from '../call.ts'

/** Versions that agents wrote and a person decides. */
export const useAgentProposals = (name: string) =>
  useQuery({
    queryKey: ['agent', 'proposals', name],
    queryFn: ({ signal }) => call(routes.agents.proposals, { params: { name } }, { signal }),
  })
