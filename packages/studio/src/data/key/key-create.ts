import { routes } from 'virtual:contract-routes'
import { useCall } from '../use-call.ts'

export const useKeyCreate = () => useCall(routes.keys.create, { changes: ['key'] })
