import { routes } from 'virtual:contract-routes'
import { useCall } from '../use-call.ts'

export const useThreadChange = () => useCall(routes.threads.change, { changes: ['thread'] })
