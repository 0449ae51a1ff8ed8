import { routes } from 'virtual:contract-routes'
import { useCall } from '../use-call.ts'

export const useQuotaSet = () => useCall(routes.teams.setQuotas, { changes: ['quota'] })
