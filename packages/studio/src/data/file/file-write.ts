import { routes } from 'virtual:contract-routes'
import { useCall } from '../use-call.ts'

export const useFileWrite = () => useCall(routes.workspaces.writeFile, { changes: ['file', 'version', 'workspace'] })
