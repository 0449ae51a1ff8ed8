import { routes } from 'virtual:contract-routes'
import { useCall } from '../query/use-call.ts'
import { useSignIn } from './sign-in.ts'

export const useTeamCreate = () => useCall(routes.teams.create, { changes: ['me'] })
export const useTeamDelete = () => useCall(routes.teams.remove, { changes: ['me'] })
export const useTeamRename = () => useCall(routes.teams.rename, { changes: ['team', 'me'] })

/** Another team is another world: everything shown is fetched anew. */
export const useTeamSwitch = () => useSignIn(routes.signIn.switchTeam)
