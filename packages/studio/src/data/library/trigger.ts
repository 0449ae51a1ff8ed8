import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from '../query/call.ts'
import { useCall } from '../query/use-call.ts'

export const triggersQuery = (name: string) =>
  queryOptions({
    queryKey: ['agent', 'triggers', name],
    queryFn: ({ signal }) => call(routes.triggers.list, { params: { name } }, { signal }),
  })

/** When a schedule would fire next; fails with what is wrong with it. */
export const useScheduleNext = (query: { schedule: string; timezone?: string }, enabled: boolean) =>
  useQuery({
    queryKey: ['schedule', query],
    queryFn: ({ signal }) => call(routes.triggers.schedule, { query }, { signal }),
    enabled,
    // what is wrong stays wrong
    retry: false,
    placeholderData: keepPreviousData,
  })

export const useTriggerMakeSecret = () => useCall(routes.triggers.makeSecret, { changes: ['agent'] })
export const useTriggerTest = () => useCall(routes.triggers.test, { changes: ['delivery'] })
