import { routes } from 'virtual:contract-routes'
import { useCall } from '../use-call.ts'

export const useWorkspaceDelete = () => useCall(routes.workspaces.remove, { changes: ['workspace'] })
