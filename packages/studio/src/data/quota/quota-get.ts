import { useQuery } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from '../call.ts'

export const useQuotas = () =>
  useQuery({ queryKey: ['quota'], queryFn: ({ signal }) => call(routes.teams.quotas, {}, { signal }) })
