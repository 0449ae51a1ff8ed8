import { routes } from 'virtual:contract-routes'
import { useCall } from '../use-call.ts'

export const useSandboxFork = () => useCall(routes.sandboxes.fork, { changes: ['sandbox', 'quota'] })
