import { routes } from 'virtual:contract-routes'
import { useCall } from '../use-call.ts'

/** Stops the cell that runs and keeps its variables. */
export const useSandboxInterrupt = () => useCall(routes.sandboxes.interrupt, { changes: ['sandbox'] })

/** Ends all sessions; files stay. */
export const useSandboxReset = () => useCall(routes.sandboxes.reset, { changes: ['sandbox'] })

/** Runs the cells again in fresh sessions. */
export const useSandboxRerun = () => useCall(routes.sandboxes.rerun, { changes: ['sandbox', 'run'] })
