import { routes } from 'virtual:contract-routes'
import { useCall } from '../use-call.ts'

export const useSecretPut = () => useCall(routes.secrets.put, { changes: ['secret', 'model', 'agent'] })
