import { routes } from 'virtual:contract-routes'
import { useCall } from '../use-call.ts'

export const useMemberChangeRole = () => useCall(routes.teams.changeRole, { changes: ['member', 'me'] })
