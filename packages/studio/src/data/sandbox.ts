import { type Language, type SandboxStatus, type SandboxVariable, type SandboxVariablePage } from '@coherex/contract'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { routes } from 'virtual:contract-routes'
import { call, open } from './query/call.ts'
import { useCall } from './query/use-call.ts'
import { useLongCall } from './query/use-long-call.ts'
import { usePages } from './query/use-pages.ts'

/** A sandbox as it is. Its memory and what its sessions do are told by nobody, so it is looked at now and then. */
export const useSandbox = (id: string) =>
  useQuery({
    queryKey: ['sandbox', id],
    queryFn: ({ signal }) => call(routes.sandboxes.get, { params: { id } }, { signal }),
    refetchInterval: 5_000,
  })

export const useSandboxList = (status: SandboxStatus | undefined) =>
  usePages({
    queryKey: ['sandbox', 'list', status],
    fetchPage: (cursor, signal) =>
      call(routes.sandboxes.list, { query: { limit: 50, ...(status && { status }), ...cursor } }, { signal }),
    keepsLast: true,
  })

/** The last runs of a sandbox, newest first. */
export const useSandboxRuns = (sandboxId: string) =>
  usePages({
    queryKey: ['run', { sandboxId }],
    fetchPage: (cursor, signal) => call(routes.runs.list, { query: { sandboxId, limit: 20, ...cursor } }, { signal }),
    keepsLast: true,
  })

/** Makes a sandbox; its packages may take a while. */
export const useSandboxCreate = () => useLongCall(routes.sandboxes.create, { changes: ['sandbox', 'quota'] })
/** Renames it, or changes its network, limits or idle time. */
export const useSandboxChange = () => useCall(routes.sandboxes.change, { changes: ['sandbox', 'quota'] })
/** Adds packages to a sandbox or takes some away; answers when they can be imported. */
export const useSandboxPackages = () =>
  useLongCall(routes.sandboxes.packages, { changes: ['sandbox', 'package', 'quota'] })
export const useSandboxDelete = () => useCall(routes.sandboxes.remove, { changes: ['sandbox', 'quota'] })

/** A folder. Asked for again when a cell has ended, `after` names it, and whenever somebody opens the list. */
export const useSandboxFiles = (id: string, path: string, after: string | undefined) =>
  useQuery({
    queryKey: ['sandbox', id, 'files', path, after],
    queryFn: ({ signal }) => call(routes.sandboxes.listFiles, { params: { id }, query: { path } }, { signal }),
    // commands and terminals write at any time and tell nobody
    staleTime: 0,
    placeholderData: (before, query) => (query?.queryKey[3] === path ? before : undefined),
  })

export const useSandboxFileWrite = () => useCall(routes.sandboxes.writeFile, { changes: ['sandbox'] })
export const useSandboxFileDelete = () => useCall(routes.sandboxes.removeFile, { changes: ['sandbox'] })

/** Brings the files of a workspace into a sandbox, or back as one version. */
export const useSandboxFromWorkspace = () => useCall(routes.sandboxes.copyFromWorkspace, { changes: ['sandbox'] })
export const useSandboxToWorkspace = () =>
  useCall(routes.sandboxes.copyToWorkspace, { changes: ['file', 'version', 'workspace'] })

export function sandboxFileUrl(id: string, path: string): string {
  return `/api/v1/sandboxes/${id}/files/${path.split('/').map(encodeURIComponent).join('/')}`
}

export async function readSandboxFile(id: string, path: string): Promise<Blob> {
  return (await open(routes.sandboxes.readFile, { params: { id, path } })).blob()
}

export function sandboxZipUrl(id: string, path: string): string {
  return `/api/v1/sandboxes/${id}/zip?path=${encodeURIComponent(path)}`
}

export const useSandboxFork = () => useCall(routes.sandboxes.fork, { changes: ['sandbox', 'quota'] })

/** An address for members of the team. */
export const usePreview = () =>
  useMutation({
    mutationFn: (params: { id: string; port: number }) => call(routes.sandboxes.preview, { params }),
  })

/** An address for anyone who has it. */
export const usePreviewShare = () => useCall(routes.sandboxes.sharePreview, { changes: [] })
export const usePreviewsUnshare = () => useCall(routes.sandboxes.unsharePreviews, { changes: [] })

export const useSandboxProcesses = (id: string) =>
  useQuery({
    queryKey: ['sandbox', id, 'processes'],
    queryFn: ({ signal }) => call(routes.sandboxes.listProcesses, { params: { id } }, { signal }),
    refetchInterval: 2_000,
  })

export const useProcessStart = () => useCall(routes.sandboxes.startProcess, { changes: ['sandbox'] })
export const useProcessKill = () => useCall(routes.sandboxes.killProcess, { changes: ['sandbox'] })

/** Stops the cell that runs and keeps its variables. */
export const useSandboxInterrupt = () => useCall(routes.sandboxes.interrupt, { changes: ['sandbox'] })

/** Ends all sessions; files stay. */
export const useSandboxReset = () => useCall(routes.sandboxes.reset, { changes: ['sandbox'] })

/** Runs the cells again in fresh sessions. */
export const useSandboxRerun = () => useCall(routes.sandboxes.rerun, { changes: ['sandbox', 'run', 'cell'] })

/** Variables of a session. Asked for again when a cell has ended: `after` names it. */
/** Reads variables that no sandbox has, such as those of a session in this browser. */
export interface VariableReader {
  list(): Promise<readonly SandboxVariable[]>
  one(name: string, rows: { offset: number; limit: number }): Promise<SandboxVariablePage>
}

export const useSandboxVariables = (id: string, context: string, after: string | undefined, reader?: VariableReader) =>
  useQuery({
    queryKey: ['sandbox', id, 'variables', context, after],
    async queryFn({ client, signal }) {
      if (reader) return { items: await reader.list(), isBusy: false }
      const read = await call(routes.sandboxes.variables, { params: { id }, query: { context } }, { signal })
      if (!read.isBusy) return read
      // while a cell runs, what the last one left is shown; its end asks again
      const shown = client.getQueriesData<typeof read>({ queryKey: ['sandbox', id, 'variables', context] })
      return shown.findLast(([, data]) => data !== undefined)?.[1] ?? read
    },
    placeholderData: keepPreviousData,
    retry: false,
  })

/** Names that could follow at the end of a line, by what runs: what is typed of the name already, and the whole names. */
export type NamesAfter = (
  line: string,
  signal: AbortSignal,
) => Promise<{ prefix: string; items: readonly { name: string; kind: string }[] }>

/** What a session of Python could name at the end of a line; undefined for other languages, which have no such question. */
export function useNamesAfter(sandboxId: string | undefined, language: Language | undefined): NamesAfter | undefined {
  return useMemo(() => {
    if (sandboxId === undefined || language !== 'python') return undefined
    return (line, signal) =>
      call(
        routes.sandboxes.complete,
        { params: { id: sandboxId }, body: { code: line, cursor: line.length, language } },
        { signal },
      )
  }, [sandboxId, language])
}

export const rowsPerPage = 50

/** One variable in full; of a table, a page. */
export const useSandboxVariable = (
  id: string,
  { context, name, page, after }: VariablePlace,
  reader?: VariableReader,
) =>
  useQuery({
    queryKey: ['sandbox', id, 'variable', context, name, page, after],
    queryFn: ({ signal }) => {
      const rows = { offset: page * rowsPerPage, limit: rowsPerPage }
      if (reader) return reader.one(name, rows)
      const query = { context, ...rows }
      return call(routes.sandboxes.variable, { params: { id, name }, query }, { signal })
    },
    placeholderData: keepPreviousData,
    retry: false,
  })

interface VariablePlace {
  context: string
  name: string
  page: number
  after: string | undefined
}
