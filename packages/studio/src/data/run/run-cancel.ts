import { routes } from 'virtual:contract-routes'
import { useCall } from '../query/use-call.ts'

export const useRunCancel = () => useCall(routes.runs.cancel, { changes: ['run'] })
