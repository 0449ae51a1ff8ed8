import { routes } from 'virtual:contract-routes'
import { useCall } from '../use-call.ts'

/** Starts the program of a run again where there is more room, and does not wait for it. */
export const useRunEscalate = () => useCall(routes.runs.escalate, { changes: ['run'] })
