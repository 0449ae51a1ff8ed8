import { routes } from 'virtual:contract-routes'
import { useCall } from '../query/use-call.ts'

export const useThreadDelete = () => useCall(routes.threads.remove, { changes: ['thread'] })
