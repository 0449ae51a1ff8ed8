import type { Delivery, DeliveryStatus } from '@coherex/contract'
import { queryOptions } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import type { TriggerOwner } from './library/trigger.ts'
import { call } from './query/call.ts'
import { useCall } from './query/use-call.ts'
import { usePages } from './query/use-pages.ts'

export const deliveryQuery = (id: string) =>
  queryOptions({
    queryKey: ['delivery', 'one', id],
    queryFn: ({ signal }) => call(routes.triggers.delivery, { params: { id } }, { signal }),
    refetchInterval: ({ state: { data } }) => (data && isUnderWay(data) ? whileWorkingMs : false),
  })

const whileWorkingMs = 2_000

/** The last deliveries of an agent or a tool; looked at again while one is under way. */
export const deliveriesQuery = ({ kind, name }: TriggerOwner) =>
  queryOptions({
    queryKey: ['delivery', 'list', kind, name],
    queryFn: ({ signal }) =>
      kind === 'tool'
        ? call(routes.triggers.allDeliveries, { query: { tool: name, limit: 50 } }, { signal })
        : call(routes.triggers.deliveries, { params: { name }, query: { limit: 50 } }, { signal }),
    refetchInterval: ({ state }) => (state.data?.items.some(isUnderWay) ? whileWorkingMs : false),
  })

/** What the triggers of all agents were sent. */
export const useDeliveryList = (query: { agent?: string; status?: DeliveryStatus }) =>
  usePages({
    queryKey: ['delivery', 'all', query],
    fetchPage: (cursor, signal) => call(routes.triggers.allDeliveries, { query: { ...query, ...cursor } }, { signal }),
    keepsLast: true,
  })

function isUnderWay({ status, turnStatus }: Delivery): boolean {
  return status === 'pending' || turnStatus === 'queued' || turnStatus === 'running'
}

export const useRedeliver = () => useCall(routes.triggers.redeliver, { changes: ['delivery', 'inbox'] })
