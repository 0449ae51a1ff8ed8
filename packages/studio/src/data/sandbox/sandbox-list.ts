import type { SandboxStatus } from '@coherex/contract'
import { routes } from 'virtual:contract-routes'
import { call } from '../call.ts'
import { usePages } from '../use-pages.ts'

export const useSandboxList = (status: SandboxStatus | undefined) =>
  usePages({
    queryKey: ['sandbox', 'list', status],
    fetchPage: (cursor, signal) =>
      call(routes.sandboxes.list, { query: { limit: 50, ...(status && { status }), ...cursor } }, { signal }),
    keepsLast: true,
  })
