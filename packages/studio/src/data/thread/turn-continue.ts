import { routes } from 'virtual:contract-routes'
import { useCall } from '../use-call.ts'

export const useTurnContinue = () => useCall(routes.threads.continue, { changes: ['thread'] })
