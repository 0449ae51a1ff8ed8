import { routes } from 'virtual:contract-routes'
import { useCall } from '../use-call.ts'

export const useAgentSetStatus = () => useCall(routes.agents.setStatus, { changes: ['agent'] })
