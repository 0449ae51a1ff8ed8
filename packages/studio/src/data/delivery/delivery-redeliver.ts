import { routes } from 'virtual:contract-routes'
import { useCall } from '../use-call.ts'

export const useRedeliver = () => useCall(routes.triggers.redeliver, { changes: ['delivery'] })
