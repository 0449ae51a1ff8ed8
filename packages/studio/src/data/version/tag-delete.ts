import { routes } from 'virtual:contract-routes'
import { useCall } from '../use-call.ts'

export const useTagDelete = () => useCall(routes.workspaces.removeTag, { changes: ['version'] })
