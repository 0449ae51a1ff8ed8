import { routes } from 'virtual:contract-routes'
import { useCall } from '../use-call.ts'

/** Says something and does not wait for the answer; the stream of the thread tells it. */
export const useThreadSay = () => useCall(routes.threads.turn, { changes: ['thread'] })
