import type { Trigger } from '@coherex/contract'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from '../query/call.ts'
import { useCall } from '../query/use-call.ts'

/** What a trigger starts. */
export interface TriggerOwner {
  kind: 'agent' | 'tool'
  name: string
}

export const ownerOf = ({ agent, tool }: Pick<Trigger, 'agent' | 'tool'>): TriggerOwner =>
  tool === null ? { kind: 'agent', name: agent ?? '' } : { kind: 'tool', name: tool }

export const triggersQuery = ({ kind, name }: TriggerOwner) =>
  queryOptions({
    queryKey: [kind, 'triggers', name],
    queryFn: ({ signal }) =>
      call(kind === 'tool' ? routes.triggers.ofTool : routes.triggers.list, { params: { name } }, { signal }),
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

export const useTriggerMakeSecret = (of: TriggerOwner['kind']) =>
  useCall(of === 'tool' ? routes.triggers.makeSecretOfTool : routes.triggers.makeSecret, { changes: [of] })
export const useTriggerTest = (of: TriggerOwner['kind']) =>
  useCall(of === 'tool' ? routes.triggers.testOfTool : routes.triggers.test, { changes: ['delivery'] })
