import type { Artifact } from '@coherex/contract'
import { queryOptions } from '@tanstack/react-query'
import { routes } from 'virtual:artifact-routes'
import { call } from './query/call.ts'
import { useCall } from './query/use-call.ts'
import { usePages } from './query/use-pages.ts'

/** Blocks of a conversation that were edited or run. */
export const artifactsQuery = (threadId: string) =>
  queryOptions({
    queryKey: ['artifact', threadId],
    queryFn: async ({ signal }): Promise<Artifact[]> =>
      (await call(routes.artifacts.ofThread, { params: { id: threadId } }, { signal })).items,
  })

export const useArtifactVersions = (id: string) =>
  usePages({
    queryKey: ['artifact', 'versions', id],
    fetchPage: (cursor, signal) =>
      call(routes.artifacts.versions, { params: { id }, query: { limit: 50, ...cursor } }, { signal }),
  })

/** Runs of a block, or those that printed the words. */
export const useArtifactRuns = (id: string, search: string) =>
  usePages({
    queryKey: ['artifact', 'executions', id, search],
    fetchPage: (cursor, signal) => {
      const query = { limit: 50, ...(search && { search }), ...cursor }
      return call(routes.artifacts.executions, { params: { id }, query }, { signal })
    },
    keepsLast: true,
  })

export const artifactDiffQuery = (id: string, { from, to }: { from: number; to: number }) =>
  queryOptions({
    queryKey: ['artifact', 'diff', id, from, to],
    queryFn: ({ signal }) => call(routes.artifacts.diff, { params: { id }, query: { from, to } }, { signal }),
    staleTime: Infinity,
  })

export const artifactVersionQuery = (id: string, version: number) =>
  queryOptions({
    queryKey: ['artifact', 'version', id, version],
    queryFn: ({ signal }) => call(routes.artifacts.get, { params: { id }, query: { version } }, { signal }),
    staleTime: Infinity,
  })

/** Where a browser downloads a block as a notebook. */
export const artifactNotebookUrl = (id: string) => routes.artifacts.notebook.path.replace('{id}', id)

export const useArtifactOpen = () => useCall(routes.artifacts.open, { changes: [] })
export const useArtifactSave = () => useCall(routes.artifacts.save, { changes: ['artifact'] })
/** Starts a block on the server and does not wait for it, or keeps what this browser ran. */
export const useFenceExecute = () => useCall(routes.artifacts.executeFence, { changes: ['artifact', 'run'] })
