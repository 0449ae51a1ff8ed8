import { routes } from 'virtual:contract-routes'
import { useCall } from '../use-call.ts'

export const useTagPut = () => useCall(routes.workspaces.putTag, { changes: ['version'] })
