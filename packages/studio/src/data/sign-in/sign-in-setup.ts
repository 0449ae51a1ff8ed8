import { routes } from 'virtual:contract-routes'
import { useSignIn } from './use-sign-in.ts'

export const useSetupFinish = () => useSignIn(routes.signIn.finishSetup)
