import { type WorkspaceFile, createOpener } from '@coherex/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from './query/call.ts'
import { useCall } from './query/use-call.ts'

const open = createOpener({ baseUrl: '', fetch: (url, init) => fetch(url, init) })

export interface FileText {
  text: string
  hash: string
  /** The version it was read at, for `readVersion`. */
  version: number
}

/** A text as it is now. Not under the noun `file`: what has one hash never changes, and the list tells the hash. */
export const fileTextQuery = (
  id: string,
  { path, hash, version }: Pick<WorkspaceFile, 'path' | 'hash'> & { version?: number },
) =>
  queryOptions({
    queryKey: ['file-text', id, path, hash],
    queryFn: ({ signal }) => readFileText(id, path, signal),
    // one that was read after others had gone on, or before they came back to it, is read again
    staleTime: ({ state: { data } }) => (data?.hash === hash && data.version >= (version ?? 0) ? Infinity : 0),
  })

export async function readFileText(id: string, path: string, signal?: AbortSignal): Promise<FileText> {
  const response = await open(routes.workspaces.readFile, { params: { id, path } }, signal ? { signal } : {})
  return {
    text: await response.text(),
    hash: response.headers.get('etag')?.replaceAll('"', '') ?? '',
    version: Number(response.headers.get('x-coherex-version')),
  }
}

/** An image as an address of this page's own; whoever shows it revokes it. */
export async function readImage(id: string, path: string, type: string): Promise<string> {
  const response = await open(routes.workspaces.readFile, { params: { id, path } })
  return URL.createObjectURL(new Blob([await response.arrayBuffer()], { type }))
}

/** The first characters of a file that may be large; the rest is not fetched. */
export async function readBeginning(id: string, path: string, mostBytes: number, signal?: AbortSignal) {
  const response = await open(routes.workspaces.readFile, { params: { id, path } }, signal ? { signal } : {})
  const reader = response.body?.getReader()
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
    if (done) return { text: text + decoder.decode(), isWhole: true }
    text += decoder.decode(value as Uint8Array, { stream: true })
    bytes += (value as Uint8Array).length
    if (bytes < mostBytes) continue
    await reader?.cancel()
    // the last line is likely cut
    return { text: text.slice(0, text.lastIndexOf('\n') + 1), isWhole: false }
  }
}

/** Where a browser downloads a file. */
export function fileUrl(id: string, path: string): string {
  return routes.workspaces.readFile.path.replace('{id}', id).replace('{path}', encodeURIComponent(path))
}

/** Every file of a workspace as it is now. */
export const fileListQuery = (id: string) =>
  queryOptions({
    queryKey: ['file', id, 'list'],
    queryFn: ({ signal }) => call(routes.workspaces.listFiles, { params: { id } }, { signal }),
    placeholderData: keepPreviousData,
  })

/** A file, or a folder with all that is in it. */
export const useFileDelete = () => useCall(routes.workspaces.removeFile, { changes: ['file', 'version', 'workspace'] })

/** Moves or renames a file or a folder. */
export const useFileMove = () => useCall(routes.workspaces.move, { changes: ['file', 'version', 'workspace'] })

export interface TextQuery {
  pattern: string
  regex: boolean
  matchCase: boolean
  /** Only in files that fit these patterns. */
  globs?: string | undefined
}

/** Lines of the files that have a text in them. */
export const fileSearchQuery = (id: string, { pattern, regex, matchCase, globs }: TextQuery) =>
  queryOptions({
    queryKey: ['file', id, 'search', { pattern, regex, matchCase, globs }],
    queryFn: ({ signal }) =>
      call(
        routes.workspaces.search,
        {
          params: { id },
          query: { pattern, regex: regex ? 'true' : 'false', matchCase: matchCase ? 'true' : 'false', globs },
        },
        { signal },
      ),
    enabled: pattern !== '',
    placeholderData: keepPreviousData,
  })

/** What replacing would do to the files, without doing it. */
export const usePreviewReplace = () => useCall(routes.workspaces.replace, { changes: [] })

/** Replaces text in the files as one version. */
export const useReplace = () => useCall(routes.workspaces.replace, { changes: ['file', 'version', 'workspace'] })

export const useFileWrite = () => useCall(routes.workspaces.writeFile, { changes: ['file', 'version', 'workspace'] })

/** Writes and deletes several files as one version. */
export const useFilesChange = () =>
  useCall(routes.workspaces.changeFiles, { changes: ['file', 'version', 'workspace'] })
