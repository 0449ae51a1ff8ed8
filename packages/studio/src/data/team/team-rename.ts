import { routes } from 'virtual:contract-routes'
import { useCall } from '../use-call.ts'

export const useTeamRename = () => useCall(routes.teams.rename, { changes: ['team', 'me'] })
