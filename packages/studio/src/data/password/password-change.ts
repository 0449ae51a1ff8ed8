import { routes } from 'virtual:contract-routes'
import { useCall } from '../use-call.ts'

export const usePasswordChange = () => useCall(routes.signIn.changePassword, { changes: ['session'] })
