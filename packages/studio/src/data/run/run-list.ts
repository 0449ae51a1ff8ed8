import { queryOptions } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from '../query/call.ts'
import { usePages } from '../query/use-pages.ts'

/** Whether a person has run code here: one of their runs is enough to know. */
export const ownRunQuery = (personId: string) =>
  queryOptions({
    queryKey: ['run', { createdBy: personId }],
    queryFn: ({ signal }) => call(routes.runs.list, { query: { createdBy: personId, limit: 1 } }, { signal }),
  })

/** The last runs with the files of a workspace, by whomever. */
export const useWorkspaceRuns = (workspaceId: string) =>
  usePages({
    queryKey: ['run', { workspaceId }],
    fetchPage: (cursor, signal) => call(routes.runs.list, { query: { workspaceId, limit: 20, ...cursor } }, { signal }),
    keepsLast: true,
  })
