import type { RouteRequest } from '@coherex/contract'
import { routes } from 'virtual:contract-routes'
import { call } from '../call.ts'
import { usePages } from '../use-pages.ts'

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
