import { routes } from 'virtual:contract-routes'
import { useCall } from '../query/use-call.ts'

/** Starts a run and does not wait for it; its events tell the rest. */
export const useRunCreate = () => useCall(routes.runs.create, { changes: ['run'] })
