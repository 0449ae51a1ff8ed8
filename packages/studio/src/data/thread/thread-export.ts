import { routes } from 'virtual:contract-routes'

/** Where a browser downloads a conversation. */
export function threadExportUrl(id: string, format: 'json' | 'markdown' | 'ipynb'): string {
  return `${routes.threads.export.path.replace('{id}', id)}?format=${format}`
}
