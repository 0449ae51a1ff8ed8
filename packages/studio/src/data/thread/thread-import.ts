import { routes } from 'virtual:contract-routes'
import { useCall } from '../query/use-call.ts'

export const useThreadImport = () => useCall(routes.threads.import, { changes: ['thread'] })
