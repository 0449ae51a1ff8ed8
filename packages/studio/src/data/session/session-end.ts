import { routes } from 'virtual:contract-routes'
import { useCall } from '../use-call.ts'

export const useSessionEnd = () => useCall(routes.signIn.endSession, { changes: ['session'] })
