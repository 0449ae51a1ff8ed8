import { routes } from 'virtual:contract-routes'
import { useCall } from '../query/use-call.ts'

/** Other words for a message that waits; one that could not be said is tried again. */
export const useQueuedChange = () => useCall(routes.threads.changeQueued, { changes: ['thread'] })

export const useQueuedRemove = () => useCall(routes.threads.removeQueued, { changes: ['thread'] })
