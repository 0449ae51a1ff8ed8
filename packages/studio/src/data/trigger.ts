import { queryOptions } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from './call.ts'
import { useCall } from './use-call.ts'

export const triggersQuery = (name: string) =>
  queryOptions({
    queryKey: ['agent', 'triggers', name],
    queryFn: ({ signal }) => call(routes.triggers.list, { params: { name } }, { signal }),
  })

export const useTriggerMakeSecret = () => useCall(routes.triggers.makeSecret, { changes: ['agent'] })
export const useTriggerTest = () => useCall(routes.triggers.test, { changes: ['delivery'] })
