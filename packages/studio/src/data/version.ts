import { createOpener } from '@coherex/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from './query/call.ts'
import { useCall } from './query/use-call.ts'
import { usePages } from './query/use-pages.ts'

const open = createOpener({ baseUrl: '', fetch: (url, init) => fetch(url, init) })

/** The history of a workspace, or of one file in it. */
export const useVersionList = (id: string, path?: string, enabled = true) =>
  usePages({
    enabled,
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

/** What one version, or several, did to a file. They never change, so it is fetched once. */
export const pastChangeQuery = (id: string, { path, from, to }: { path: string; from: number; to: number }) =>
  queryOptions({
    queryKey: ['version-diff', id, from, to, path],
    queryFn: async ({ signal }) => {
      const { items } = await call(routes.workspaces.diff, { params: { id }, query: { from, to, path } }, { signal })
      return items[0] ?? null
    },
    staleTime: Infinity,
  })

/** A text as it was at a version. */
export async function readVersionText(id: string, number: number, path: string): Promise<string> {
  const response = await open(routes.workspaces.versionFile, { params: { id, number, path } })
  return response.text()
}

/** Every file as it was at a version, with the text of one of them. They never change, so each is fetched once. */
export const versionFilesQuery = (id: string, number: number) =>
  queryOptions({
    queryKey: ['version-files', id, number],
    queryFn: ({ signal }) => call(routes.workspaces.versionFiles, { params: { id, number } }, { signal }),
    staleTime: Infinity,
    placeholderData: keepPreviousData,
  })

export const versionTextQuery = (id: string, number: number, { path, hash }: { path: string; hash: string }) =>
  queryOptions({
    queryKey: ['version-text', id, path, hash],
    queryFn: () => readVersionText(id, number, path),
    staleTime: Infinity,
    placeholderData: keepPreviousData,
  })

/** Takes back what some versions changed, and keeps what others did since. */
export const useVersionsUndo = () =>
  useCall(routes.workspaces.undoVersions, { changes: ['file', 'version', 'workspace'] })

export const useVersionRestore = () => useCall(routes.workspaces.restore, { changes: ['file', 'version', 'workspace'] })
