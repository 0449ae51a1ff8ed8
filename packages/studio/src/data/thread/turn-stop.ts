import { routes } from 'virtual:contract-routes'
import { useCall } from '../use-call.ts'

export const useTurnStop = () => useCall(routes.threads.stop, { changes: ['thread'] })
