import { routes } from 'virtual:contract-routes'
import { useSignIn } from '../sign-in/use-sign-in.ts'

/** Another team is another world: everything shown is fetched anew. */
export const useTeamSwitch = () => useSignIn(routes.signIn.switchTeam)
