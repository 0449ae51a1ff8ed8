import type { Delivery } from '@coherex/contract'
import { queryOptions } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from '../call.ts'

export const whileWorkingMs = 2_000

/** The last deliveries of an agent; looked at again while one is under way. */
export const deliveriesQuery = (name: string) =>
  queryOptions({
    queryKey: ['delivery', 'list', name],
    queryFn: ({ signal }) => call(routes.triggers.deliveries, { params: { name }, query: { limit: 50 } }, { signal }),
    refetchInterval: ({ state }) => (state.data?.items.some(isUnderWay) ? whileWorkingMs : false),
  })

export function isUnderWay({ status, turnStatus }: Delivery): boolean {
  return status === 'pending' || turnStatus === 'queued' || turnStatus === 'running'
}
