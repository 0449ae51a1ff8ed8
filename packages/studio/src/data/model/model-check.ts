import { routes } from 'virtual:contract-routes'
import { useCall } from '../use-call.ts'

/** Asks a provider whether it takes the key. */
export const useModelCheck = () => useCall(routes.models.check, { changes: [] })
