import { routes } from 'virtual:contract-routes'
import { useCall } from '../use-call.ts'

export const useModelSetDefault = () => useCall(routes.models.setDefault, { changes: ['model', 'agent'] })
