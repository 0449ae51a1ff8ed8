import { routes } from 'virtual:contract-routes'
import { useCall } from '../use-call.ts'

/** Moves or renames a file or a folder. */
export const useFileMove = () => useCall(routes.workspaces.move, { changes: ['file', 'version', 'workspace'] })
