import { routes } from 'virtual:contract-routes'
import { useCall } from '../use-call.ts'

/** Where a browser downloads all files. */
export const workspaceZipUrl = (id: string) => routes.workspaces.zip.path.replace('{id}', id)

export const useZipImport = () => useCall(routes.workspaces.importZip, { changes: ['file', 'version', 'workspace'] })
