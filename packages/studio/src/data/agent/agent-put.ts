import { routes } from 'virtual:contract-routes'
import { useCall } from '../use-call.ts'

export const useAgentPut = () => useCall(routes.agents.put, { changes: ['agent'] })
