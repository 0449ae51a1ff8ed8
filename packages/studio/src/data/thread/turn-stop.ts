import { routes } from 'virtual:contract-routes'
import { useCall } from '../query/use-call.ts'

export const useTurnStop = () => useCall(routes.threads.stop, { changes: ['thread'] })
