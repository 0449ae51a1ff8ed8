import { routes } from 'virtual:contract-routes'
import { useCall } from '../use-call.ts'

export const useExecutionRetry = () => useCall(routes.executions.retry, { changes: ['execution', 'run', 'thread'] })
