import { useQuery } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from '../call.ts'
import { useCall } from '../use-call.ts'

export const useSandboxFiles = (id: string, path: string) =>
  useQuery({
    queryKey: ['sandbox', id, 'files', path],
    queryFn: ({ signal }) => call(routes.sandboxes.listFiles, { params: { id }, query: { path } }, { signal }),
  })

export const useSandboxFileWrite = () => useCall(routes.sandboxes.writeFile, { changes: ['sandbox'] })

export const useSandboxFileDelete = () => useCall(routes.sandboxes.removeFile, { changes: ['sandbox'] })

export function sandboxFileUrl(id: string, path: string): string {
  return `/api/v1/sandboxes/${id}/files/${path.split('/').map(encodeURIComponent).join('/')}`
}

export function sandboxZipUrl(id: string, path: string): string {
  return `/api/v1/sandboxes/${id}/zip?path=${encodeURIComponent(path)}`
}
