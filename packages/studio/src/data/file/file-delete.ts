import { routes } from 'virtual:contract-routes'
import { useCall } from '../use-call.ts'

/** A file, or a folder with all that is in it. */
export const useFileDelete = () => useCall(routes.workspaces.removeFile, { changes: ['file', 'version', 'workspace'] })
