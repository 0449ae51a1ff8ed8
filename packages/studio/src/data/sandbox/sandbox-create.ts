import { routes } from 'virtual:contract-routes'
import { useCall } from '../use-call.ts'

export const useSandboxCreate = () => useCall(routes.sandboxes.create, { changes: ['sandbox', 'quota'] })
