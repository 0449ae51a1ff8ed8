import { routes } from 'virtual:contract-routes'
import { useCall } from '../use-call.ts'

export const useSecretDelete = () => useCall(routes.secrets.remove, { changes: ['secret', 'model', 'agent'] })
