import { routes } from 'virtual:contract-routes'
import { call } from '../call.ts'
import { usePages } from '../use-pages.ts'

/** The runs of a sandbox, newest first. */
export const useSandboxCells = (sandboxId: string) =>
  usePages({
    queryKey: ['run', { sandboxId }],
    fetchPage: (cursor, signal) => call(routes.runs.list, { query: { sandboxId, limit: 20, ...cursor } }, { signal }),
    keepsLast: true,
  })
