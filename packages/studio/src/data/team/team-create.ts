import { routes } from 'virtual:contract-routes'
import { useCall } from '../use-call.ts'

export const useTeamCreate = () => useCall(routes.teams.create, { changes: ['me'] })
