import { routes } from 'virtual:contract-routes'
import { useCall } from '../use-call.ts'

export const useSandboxDelete = () => useCall(routes.sandboxes.remove, { changes: ['sandbox', 'quota'] })
