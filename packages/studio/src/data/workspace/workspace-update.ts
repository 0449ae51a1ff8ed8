import { routes } from 'virtual:contract-routes'
import { useCall } from '../use-call.ts'

/** Renames, archives or takes back. */
export const useWorkspaceUpdate = () => useCall(routes.workspaces.update, { changes: ['workspace'] })
