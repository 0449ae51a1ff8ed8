import type { RouteRequest } from '@coherex/contract'
import { queryOptions } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from './call.ts'
import { useCall } from './use-call.ts'
import { usePages } from './use-pages.ts'

type ApprovalQuery = Pick<NonNullable<RouteRequest<typeof routes.approvals.list>['query']>, 'status'>

export const useApprovalList = (query: ApprovalQuery) =>
  usePages({
    queryKey: ['approval', 'list', query],
    fetchPage: (cursor, signal) => call(routes.approvals.list, { query: { ...query, ...cursor } }, { signal }),
  })

/** What agents ask in a thread and nobody has answered yet. */
export const pendingApprovalsQuery = (threadId: string) =>
  queryOptions({
    queryKey: ['approval', 'pending', threadId],
    queryFn: ({ signal }) => call(routes.approvals.list, { query: { threadId, status: 'pending' } }, { signal }),
  })

/** Enough of what waits for the team to say how much that is. */
export const waitingApprovalsQuery = queryOptions({
  queryKey: ['approval', 'waiting'],
  queryFn: ({ signal }) => call(routes.approvals.list, { query: { status: 'pending', limit: 9 } }, { signal }),
})

export const useApprovalDecide = () => useCall(routes.approvals.decide, { changes: ['approval', 'thread'] })

/** When people of the team are asked, whatever a definition says. */
export const approvalRulesQuery = queryOptions({
  queryKey: ['approval', 'rules'],
  queryFn: ({ signal }) => call(routes.approvals.rules, {}, { signal }),
})

export const useApprovalRulesSet = () => useCall(routes.approvals.setRules, { changes: ['approval'] })
