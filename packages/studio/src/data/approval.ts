import type { RouteRequest } from '@coherex/contract'
import { queryOptions } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from './query/call.ts'
import { useCall } from './query/use-call.ts'
import { usePages } from './query/use-pages.ts'

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

export const approvalQuery = (id: string) =>
  queryOptions({
    queryKey: ['approval', 'one', id],
    queryFn: ({ signal }) => call(routes.approvals.get, { params: { id } }, { signal }),
  })

/** What a call would do to files as they are now. Under the noun `version`: it is another change once somebody writes them. */
export const approvalChangeQuery = (id: string) =>
  queryOptions({
    queryKey: ['version', null, 'approval', id],
    queryFn: ({ signal }) => call(routes.approvals.change, { params: { id } }, { signal }),
  })

export const useApprovalDecide = () => useCall(routes.approvals.decide, { changes: ['approval', 'thread', 'inbox'] })

/** Answers that stand for a conversation. */
export const threadApprovalsQuery = (threadId: string) =>
  queryOptions({
    queryKey: ['approval', 'thread', threadId],
    queryFn: ({ signal }) => call(routes.approvals.ofThread, { params: { id: threadId } }, { signal }),
  })

export const useApprovalWithdraw = () => useCall(routes.approvals.withdraw, { changes: ['approval'] })

/** When people of the team are asked, whatever a definition says. */
export const approvalRulesQuery = queryOptions({
  queryKey: ['approval', 'rules'],
  queryFn: ({ signal }) => call(routes.approvals.rules, {}, { signal }),
})

export const useApprovalRulesSet = () => useCall(routes.approvals.setRules, { changes: ['approval'] })
