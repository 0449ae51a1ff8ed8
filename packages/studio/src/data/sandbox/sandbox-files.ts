import { useQuery } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from '../call.ts'
import { useCall } from '../use-call.ts'

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

export function sandboxFileUrl(id: string, path: string): string {
  return `/api/v1/sandboxes/${id}/files/${path.split('/').map(encodeURIComponent).join('/')}`
}

export function sandboxZipUrl(id: string, path: string): string {
  return `/api/v1/sandboxes/${id}/zip?path=${encodeURIComponent(path)}`
}
