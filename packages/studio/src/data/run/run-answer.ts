import { routes } from 'virtual:contract-routes'
import { useCall } from '../query/use-call.ts'

/** Gives the line that a run waits for; null is the end of input. */
export const useRunAnswer = () => useCall(routes.runs.stdin, { changes: [] })
