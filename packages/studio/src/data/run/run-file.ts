import { routes } from 'virtual:contract-routes'

/** Where a browser downloads a file that a run wrote. */
export function runFileUrl(id: string, path: string): string {
  return routes.runs.file.path.replace('{id}', id).replace('{path}', encodeURIComponent(path))
}
