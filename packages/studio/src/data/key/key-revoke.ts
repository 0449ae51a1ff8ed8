import { routes } from 'virtual:contract-routes'
import { useCall } from '../use-call.ts'

export const useKeyRevoke = () => useCall(routes.keys.revoke, { changes: ['key'] })
