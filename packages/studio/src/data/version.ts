import { queryOptions } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from './call.ts'
import { useCall } from './use-call.ts'
import { usePages } from './use-pages.ts'

/** The history of a workspace, or of one file in it. */
export const useVersionList = (id: string, path?: string) =>
  usePages({
    queryKey: ['version', id, 'list', path ?? null],
    fetchPage: (cursor, signal) =>
      call(routes.workspaces.listVersions, { params: { id }, query: { path, ...cursor } }, { signal }),
    keepsLast: true,
  })

export const useTagPut = () => useCall(routes.workspaces.putTag, { changes: ['version'] })

/** What differs between two versions. They never change, so it is fetched once. */
export const versionDiffQuery = (id: string, from: number, to: number) =>
  queryOptions({
    queryKey: ['version-diff', id, from, to],
    queryFn: ({ signal }) => call(routes.workspaces.diff, { params: { id }, query: { from, to } }, { signal }),
    staleTime: Infinity,
  })

/** What others did to a file since a version. */
export const fileDiffQuery = (id: string, path: string, from: number) =>
  queryOptions({
    queryKey: ['version', id, 'file-diff', path, from],
    queryFn: async ({ signal }) => {
      // a name that would be a pattern is picked from all
      const globs = /[*?,[\]{}\\]/.test(path) ? undefined : path
      const { items } = await call(routes.workspaces.diff, { params: { id }, query: { from, globs } }, { signal })
      return items.find((item) => item.path === path) ?? null
    },
  })

export const useVersionRestore = () => useCall(routes.workspaces.restore, { changes: ['file', 'version', 'workspace'] })
