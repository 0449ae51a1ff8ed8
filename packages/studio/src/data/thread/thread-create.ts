import { routes } from 'virtual:contract-routes'
import { useCall } from '../use-call.ts'

export const useThreadCreate = () => useCall(routes.threads.create, { changes: ['thread'] })
