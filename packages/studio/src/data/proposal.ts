import { queryOptions } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from './query/call.ts'
import { useCall } from './query/use-call.ts'
import { usePages } from './query/use-pages.ts'

/** Edits of agents that wait for a person, or did. */
export const useProposalList = (id: string, status: 'open' | 'accepted' | 'rejected' = 'open') =>
  usePages({
    queryKey: ['proposal', id, status],
    fetchPage: (cursor, signal) =>
      call(routes.workspaces.listProposals, { params: { id }, query: { status, ...cursor } }, { signal }),
  })

export const proposalQuery = (id: string, proposalId: string) =>
  queryOptions({
    queryKey: ['proposal', id, 'one', proposalId],
    queryFn: ({ signal }) => call(routes.workspaces.getProposal, { params: { id, proposalId } }, { signal }),
  })

export const useProposalDecide = () =>
  useCall(routes.workspaces.decideProposal, { changes: ['proposal', 'file', 'version', 'workspace', 'inbox'] })
