import { routes } from 'virtual:contract-routes'
import { useSignIn } from './use-sign-in.ts'

export const useSignInPassword = () => useSignIn(routes.signIn.withPassword)
