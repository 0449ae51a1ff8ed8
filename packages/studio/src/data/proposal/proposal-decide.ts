import { routes } from 'virtual:contract-routes'
import { useCall } from '../use-call.ts'

export const useProposalDecide = () =>
  useCall(routes.workspaces.decideProposal, { changes: ['proposal', 'file', 'version', 'workspace'] })
