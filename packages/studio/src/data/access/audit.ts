import type { RouteRequest } from '@coherex/contract'
import { useMutation } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from '../query/call.ts'
import { usePages } from '../query/use-pages.ts'
import { saveFile } from '../save-file.ts'

export type AuditQuery = Omit<NonNullable<RouteRequest<typeof routes.audit.list>['query']>, 'cursor' | 'limit'>

interface AuditListOptions {
  query?: AuditQuery
  limit?: number
  enabled?: boolean
}

export const useAuditList = ({ query = {}, limit = 50, enabled = true }: AuditListOptions) =>
  usePages({
    queryKey: ['audit', query, limit],
    fetchPage: (cursor, signal) => call(routes.audit.list, { query: { ...query, limit, ...cursor } }, { signal }),
    enabled,
    keepsLast: true,
  })

export const useAuditExport = () =>
  useMutation({
    mutationFn: async ({ query, format }: { query: AuditQuery; format: 'csv' | 'json' }) => {
      const text = await call(routes.audit.export, { query: { ...query, format } })
      saveFile(
        text,
        `audit-${new Date().toISOString().slice(0, 10)}.${format}`,
        format === 'csv' ? 'text/csv' : 'application/json',
      )
    },
  })
