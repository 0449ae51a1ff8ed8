import { routes } from 'virtual:contract-routes'
import { useCall } from './use-call.ts'

/** Takes back what an answer did to files. */
export const useTurnUndo = () => useCall(routes.threads.undoTurn, { changes: ['file', 'version', 'workspace'] })
