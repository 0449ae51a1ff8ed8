import { routes } from 'virtual:contract-routes'
import { useCall } from '../use-call.ts'

export const useAgentDelete = () => useCall(routes.agents.remove, { changes: ['agent'] })
