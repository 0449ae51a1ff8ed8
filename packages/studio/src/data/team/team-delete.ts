import { routes } from 'virtual:contract-routes'
import { useCall } from '../use-call.ts'

export const useTeamDelete = () => useCall(routes.teams.remove, { changes: ['me'] })
