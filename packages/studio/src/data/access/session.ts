import { useQuery } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from '../query/call.ts'
import { useCall } from '../query/use-call.ts'

export const useSessionList = () =>
  useQuery({ queryKey: ['session'], queryFn: ({ signal }) => call(routes.signIn.listSessions, {}, { signal }) })

export const useSessionEnd = () => useCall(routes.signIn.endSession, { changes: ['session'] })
