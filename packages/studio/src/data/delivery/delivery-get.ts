import { queryOptions } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from '../call.ts'
import { isUnderWay, whileWorkingMs } from './delivery-list.ts'

export const deliveryQuery = (id: string) =>
  queryOptions({
    queryKey: ['delivery', 'one', id],
    queryFn: ({ signal }) => call(routes.triggers.delivery, { params: { id } }, { signal }),
    refetchInterval: ({ state: { data } }) => (data && isUnderWay(data) ? whileWorkingMs : false),
  })
