import { routes } from 'virtual:contract-routes'
import { useCall } from '../use-call.ts'

export const useThreadRegenerate = () => useCall(routes.threads.regenerate, { changes: ['thread'] })
