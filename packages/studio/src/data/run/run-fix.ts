import { routes } from 'virtual:contract-routes'
import { useCall } from '../query/use-call.ts'

/** Starts the program of a failed run again with one of its fixes, and does not wait for it. */
export const useRunFix = () => useCall(routes.runs.fix, { changes: ['run', 'cell'] })
