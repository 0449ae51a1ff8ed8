import { routes } from 'virtual:contract-routes'
import { useCall } from '../query/use-call.ts'

export const useThreadClear = () => useCall(routes.threads.clear, { changes: ['thread'] })
