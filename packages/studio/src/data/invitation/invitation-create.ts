import { routes } from 'virtual:contract-routes'
import { useCall } from '../use-call.ts'

export const useInvitationCreate = () => useCall(routes.teams.invite, { changes: ['invitation'] })
