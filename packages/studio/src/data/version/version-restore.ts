import { routes } from 'virtual:contract-routes'
import { useCall } from '../use-call.ts'

export const useVersionRestore = () => useCall(routes.workspaces.restore, { changes: ['file', 'version', 'workspace'] })
