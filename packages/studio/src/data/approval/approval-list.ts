import { queryOptions } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from '../call.ts'

/** What agents ask in a thread and nobody has answered yet. */
export const pendingApprovalsQuery = (threadId: string) =>
  queryOptions({
    queryKey: ['approval', 'pending', threadId],
    queryFn: ({ signal }) => call(routes.approvals.list, { query: { threadId, status: 'pending' } }, { signal }),
  })
