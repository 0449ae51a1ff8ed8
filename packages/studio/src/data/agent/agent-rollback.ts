import { routes } from 'virtual:contract-routes'
import { useCall } from '../use-call.ts'

export const useAgentRollback = () => useCall(routes.agents.rollback, { changes: ['agent'] })
