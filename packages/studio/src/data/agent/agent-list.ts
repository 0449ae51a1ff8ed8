import type { AgentStatus } from '@coherex/contract'
import { routes } from 'virtual:contract-routes'
import { call } from '../call.ts'
import { usePages } from '../use-pages.ts'

export const useAgentList = (query: { search?: string; status?: AgentStatus } = {}) =>
  usePages({
    queryKey: ['agent', 'list', query],
    fetchPage: (cursor, signal) => call(routes.agents.list, { query: { ...query, limit: 100, ...cursor } }, { signal }),
    keepsLast: true,
  })
