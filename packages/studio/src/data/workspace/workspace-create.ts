import { routes } from 'virtual:contract-routes'
import { useCall } from '../use-call.ts'

export const useWorkspaceCreate = () => useCall(routes.workspaces.create, { changes: ['workspace'] })
