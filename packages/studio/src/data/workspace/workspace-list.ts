import { routes } from 'virtual:contract-routes'
import { call } from '../call.ts'
import { usePages } from '../use-pages.ts'

interface WorkspaceQuery {
  search?: string | undefined
  archived: boolean
}

export const useWorkspaceList = ({ search, archived }: WorkspaceQuery) =>
  usePages({
    queryKey: ['workspace', 'list', { search, archived }],
    fetchPage: (cursor, signal) =>
      call(routes.workspaces.list, { query: { search, archived: archived ? 'true' : 'false', ...cursor } }, { signal }),
    keepsLast: true,
  })
