import { routes } from 'virtual:contract-routes'
import { call } from '../call.ts'
import { usePages } from '../use-pages.ts'

/** The history of a workspace, or of one file in it. */
export const useVersionList = (id: string, path?: string) =>
  usePages({
    queryKey: ['version', id, 'list', path ?? null],
    fetchPage: (cursor, signal) =>
      call(routes.workspaces.listVersions, { params: { id }, query: { path, ...cursor } }, { signal }),
    keepsLast: true,
  })
