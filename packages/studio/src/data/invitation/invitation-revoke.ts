import { routes } from 'virtual:contract-routes'
import { useCall } from '../use-call.ts'

export const useInvitationRevoke = () => useCall(routes.teams.revokeInvitation, { changes: ['invitation'] })
