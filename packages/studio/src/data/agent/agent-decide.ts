import { routes } from 'virtual:contract-routes'
import { useCall } from '../use-call.ts'

export const useAgentDecide = () => useCall(routes.agents.decide, { changes: ['agent'] })
