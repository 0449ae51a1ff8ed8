import { routes } from 'virtual:contract-routes'
import { useCall } from '../query/use-call.ts'

export const usePasswordChange = () => useCall(routes.signIn.changePassword, { changes: ['session'] })
export const usePasswordForgot = () => useCall(routes.signIn.forgotPassword, { changes: [] })
export const usePasswordReset = () => useCall(routes.signIn.resetPassword, { changes: ['me'] })
