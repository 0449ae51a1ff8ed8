import { routes } from 'virtual:contract-routes'
import { useCall } from '../use-call.ts'

export const usePasswordReset = () => useCall(routes.signIn.resetPassword, { changes: ['me'] })
