import { routes } from 'virtual:contract-routes'
import { useCall } from '../use-call.ts'

export const useAgentCreate = () => useCall(routes.agents.create, { changes: ['agent'] })
