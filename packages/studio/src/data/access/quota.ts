import { useQuery } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from '../query/call.ts'
import { useCall } from '../query/use-call.ts'

export const useQuotas = () =>
  useQuery({ queryKey: ['quota'], queryFn: ({ signal }) => call(routes.teams.quotas, {}, { signal }) })

export const useQuotaSet = () => useCall(routes.teams.setQuotas, { changes: ['quota'] })
