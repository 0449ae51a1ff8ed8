import { routes } from 'virtual:contract-routes'
import { useCall } from '../query/use-call.ts'

export const useThreadChange = () => useCall(routes.threads.change, { changes: ['thread'] })
