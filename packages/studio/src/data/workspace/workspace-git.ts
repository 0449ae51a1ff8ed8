import { useQuery } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from '../call.ts'
import { useCall } from '../use-call.ts'

/** Branches that the workspace was brought from or pushed to, the last used first. */
export const useGitRemotes = (id: string) =>
  useQuery({
    queryKey: ['workspace', id, 'git'],
    queryFn: ({ signal }) => call(routes.workspaces.gitRemotes, { params: { id } }, { signal }),
  })

export const useGitClone = () => useCall(routes.workspaces.cloneGit, { changes: ['workspace'] })

export const useGitImport = () => useCall(routes.workspaces.importGit, { changes: ['file', 'version', 'workspace'] })

export const useGitPush = () => useCall(routes.workspaces.pushGit, { changes: ['version', 'workspace'] })
