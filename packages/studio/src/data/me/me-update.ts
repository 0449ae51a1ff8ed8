import { routes } from 'virtual:contract-routes'
import { useCall } from '../use-call.ts'

export const useMeUpdate = () => useCall(routes.signIn.updateMe, { changes: ['me', 'member'] })
