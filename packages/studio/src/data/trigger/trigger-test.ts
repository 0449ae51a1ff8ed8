import { routes } from 'virtual:contract-routes'
import { useCall } from '../use-call.ts'

export const useTriggerTest = () => useCall(routes.triggers.test, { changes: ['delivery'] })
