import { routes } from 'virtual:contract-routes'
import { useSignIn } from '../sign-in/use-sign-in.ts'

export const useInvitationAccept = () => useSignIn(routes.teams.acceptInvitation)
