import { routes } from 'virtual:contract-routes'
import { useCall } from '../use-call.ts'

export const usePasswordForgot = () => useCall(routes.signIn.forgotPassword, { changes: [] })
