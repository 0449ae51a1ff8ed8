import type { AgentStatus } from '@coherex/contract'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from '../query/call.ts'
import { useCall } from '../query/use-call.ts'
import { usePages } from '../query/use-pages.ts'

export const agentQuery = (name: string) =>
  queryOptions({
    queryKey: ['agent', 'one', name],
    queryFn: ({ signal }) => call(routes.agents.get, { params: { name } }, { signal }),
  })

export const useAgentList = (query: { search?: string; status?: AgentStatus; uses?: string } = {}) =>
  usePages({
    queryKey: ['agent', 'list', query],
    fetchPage: (cursor, signal) => call(routes.agents.list, { query: { ...query, limit: 100, ...cursor } }, { signal }),
    keepsLast: true,
  })

export const useAgentCreate = () => useCall(routes.agents.create, { changes: ['agent'] })
export const useAgentDecide = () => useCall(routes.agents.decide, { changes: ['agent', 'inbox'] })
export const useAgentDelete = () => useCall(routes.agents.remove, { changes: ['agent'] })

/** What changed between two versions. They never change, so it is fetched once. */
export const useAgentDiff = (name: string, versions: { from: number; to: number }) =>
  useQuery({
    queryKey: ['agent-diff', name, versions],
    queryFn: ({ signal }) => call(routes.agents.diff, { params: { name }, query: versions }, { signal }),
    enabled: versions.from >= 1,
    staleTime: Infinity,
  })

/** Versions that agents wrote and a person decides. */
export const useAgentProposals = (name: string) =>
  useQuery({
    queryKey: ['agent', 'proposals', name],
    queryFn: ({ signal }) => call(routes.agents.proposals, { params: { name } }, { signal }),
  })

/** A definition that the builder writes from a description; it begins a conversation. */
export const useAgentGenerate = () => useCall(routes.agents.generate, { changes: ['thread'] })
export const useAgentPut = () => useCall(routes.agents.put, { changes: ['agent'] })
export const useAgentRollback = () => useCall(routes.agents.rollback, { changes: ['agent'] })
export const useAgentChange = () => useCall(routes.agents.change, { changes: ['agent'] })

export const useAgentTemplates = () =>
  useQuery({
    queryKey: ['agent', 'templates'],
    queryFn: ({ signal }) => call(routes.agents.templates, {}, { signal }),
  })

/** What is wrong with a definition, as the server sees it. */
export const useAgentValidate = (source: string) =>
  useQuery({
    queryKey: ['agent', 'validate', source],
    queryFn: async ({ signal }) => ({
      source,
      ...(await call(routes.agents.validate, { body: { source } }, { signal })),
    }),
    placeholderData: keepPreviousData,
    gcTime: 10_000,
  })

export const useAgentVersions = (name: string) =>
  usePages({
    queryKey: ['agent', 'versions', name],
    fetchPage: (cursor, signal) =>
      call(routes.agents.versions, { params: { name }, query: { limit: 50, ...cursor } }, { signal }),
  })
