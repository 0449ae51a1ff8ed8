import { queryOptions } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from '../call.ts'
import { useCall } from '../use-call.ts'

/** When people of the team are asked, whatever a definition says. */
export const approvalRulesQuery = queryOptions({
  queryKey: ['approval', 'rules'],
  queryFn: ({ signal }) => call(routes.approvals.rules, {}, { signal }),
})

export const useApprovalRulesSet = () => useCall(routes.approvals.setRules, { changes: ['approval'] })
