import { queryOptions, useQuery } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from './query/call.ts'
import { useCall } from './query/use-call.ts'
import { usePages } from './query/use-pages.ts'

export const workspaceQuery = (id: string) =>
  queryOptions({
    queryKey: ['workspace', id],
    queryFn: ({ signal }) => call(routes.workspaces.get, { params: { id } }, { signal }),
  })

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

export const useWorkspaceCreate = () => useCall(routes.workspaces.create, { changes: ['workspace'] })
export const useWorkspaceDelete = () => useCall(routes.workspaces.remove, { changes: ['workspace'] })

/** Branches that the workspace was brought from or pushed to, the last used first. */
export const useGitRemotes = (id: string) =>
  useQuery({
    queryKey: ['workspace', id, 'git'],
    queryFn: ({ signal }) => call(routes.workspaces.gitRemotes, { params: { id } }, { signal }),
  })

export const useGitClone = () => useCall(routes.workspaces.cloneGit, { changes: ['workspace'] })
export const useGitImport = () => useCall(routes.workspaces.importGit, { changes: ['file', 'version', 'workspace'] })
export const useGitPush = () => useCall(routes.workspaces.pushGit, { changes: ['version', 'workspace'] })

/** Renames, archives or takes back. */
export const useWorkspaceUpdate = () => useCall(routes.workspaces.update, { changes: ['workspace'] })

/** Where a browser downloads all files. */
export const workspaceZipUrl = (id: string) => routes.workspaces.zip.path.replace('{id}', id)

export const useZipImport = () => useCall(routes.workspaces.importZip, { changes: ['file', 'version', 'workspace'] })
