import { createOpener } from '@coherex/contract'
import { routes } from 'virtual:contract-routes'

const open = createOpener({ baseUrl: '', fetch: (url, init) => fetch(url, init) })

/** Where a browser downloads a file that a run wrote. */
export function runFileUrl(id: string, path: string): string {
  return routes.runs.file.path.replace('{id}', id).replace('{path}', encodeURIComponent(path))
}

export async function readRunFile(id: string, path: string): Promise<Blob> {
  return (await open(routes.runs.file, { params: { id, path } })).blob()
}
