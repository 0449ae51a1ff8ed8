import { routes } from 'virtual:contract-routes'
import { useCall } from '../use-call.ts'

export const useTriggerMakeSecret = () => useCall(routes.triggers.makeSecret, { changes: ['agent'] })
