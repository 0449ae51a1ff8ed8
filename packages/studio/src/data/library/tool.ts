import {
  CoherexError,
  type RouteRequest,
  type ToolExportFormat,
  type ToolFiles,
  type ToolReach,
  type ToolStatus,
} from '@coherex/contract'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from '../query/call.ts'
import { useCall } from '../query/use-call.ts'
import { usePages } from '../query/use-pages.ts'

type ToolRequest = RouteRequest<typeof routes.tools.save>['body']

export interface ToolQuery {
  search?: string
  language?: string
  tag?: string
  status?: ToolStatus
  owner?: string
  reach?: ToolReach
}

export const toolQuery = (name: string) =>
  queryOptions({
    queryKey: ['tool', 'one', name],
    queryFn: ({ signal }) => call(routes.tools.get, { params: { name } }, { signal }),
  })

export const useToolList = (query: ToolQuery = {}) =>
  usePages({
    queryKey: ['tool', 'list', query],
    fetchPage: (cursor, signal) => call(routes.tools.list, { query: { ...query, limit: 100, ...cursor } }, { signal }),
    keepsLast: true,
  })

/** A version with its files. It never changes but for who decided about it. */
export const toolVersionQuery = (name: string, version: number) =>
  queryOptions({
    queryKey: ['tool', 'version', name, version],
    queryFn: ({ signal }) => call(routes.tools.version, { params: { name, version } }, { signal }),
  })

export const useToolVersions = (name: string) =>
  usePages({
    queryKey: ['tool', 'versions', name],
    fetchPage: (cursor, signal) =>
      call(routes.tools.versions, { params: { name }, query: { limit: 50, ...cursor } }, { signal }),
  })

/** What changed between two versions; from 0 it is all of the second. They never change, so it is fetched once. */
export const useToolDiff = (name: string, versions: { from: number; to: number }) =>
  useQuery({
    queryKey: ['tool-diff', name, versions],
    queryFn: ({ signal }) => call(routes.tools.diff, { params: { name }, query: versions }, { signal }),
    staleTime: Infinity,
  })

/** Stores a tool that is not there yet: another one of that name would get a version instead. */
export const useToolCreate = () => {
  const save = useToolSave()
  return async (name: string, body: ToolRequest) => {
    const isFree = await call(routes.tools.get, { params: { name } }).then(
      () => false,
      (error: CoherexError) => error.code === 'not_found' || Promise.reject(error),
    )
    const taken = `There is a tool ${name} already`
    if (!isFree) throw new CoherexError('conflict', taken, { details: [{ field: 'name', message: taken }] })
    return save.mutateAsync({ body: { ...body, expectedVersion: 0 } })
  }
}

export const useToolSave = () =>
  useCall(routes.tools.save, {
    changes: ['tool'],
    // the editor goes on with it at once
    onAnswer: (queryClient, stored) =>
      queryClient.setQueryData(toolVersionQuery(stored.definition.name, stored.version).queryKey, stored),
  })

export const useToolChange = () => useCall(routes.tools.change, { changes: ['tool', 'agent'] })
export const useToolDelete = () => useCall(routes.tools.remove, { changes: ['tool', 'agent'] })
export const useToolTest = () => useCall(routes.tools.test, { changes: ['run'] })
export const useToolPublish = () => useCall(routes.tools.publishVersion, { changes: ['tool', 'agent', 'inbox', 'run'] })
export const useToolReview = () => useCall(routes.tools.review, { changes: ['tool', 'inbox'] })
export const useToolAskReview = () => useCall(routes.tools.askReview, { changes: ['tool'] })
export const useToolInstall = () => useCall(routes.tools.install, { changes: ['tool'] })

export const useToolReviews = (name: string, version: number) =>
  usePages({
    queryKey: ['tool', 'reviews', name, version],
    fetchPage: (cursor, signal) =>
      call(routes.tools.reviews, { params: { name }, query: { version, limit: 50, ...cursor } }, { signal }),
  })

export const useToolUsage = (name: string, days: number) =>
  useQuery({
    queryKey: ['tool', 'usage', name, days],
    queryFn: ({ signal }) => call(routes.tools.usage, { params: { name }, query: { days } }, { signal }),
    placeholderData: keepPreviousData,
  })

export const useToolUsers = (name: string) =>
  useQuery({
    queryKey: ['tool', 'used-by', name],
    queryFn: ({ signal }) => call(routes.tools.usedBy, { params: { name } }, { signal }),
  })

export const useToolExport = (name: string, query: { format: ToolExportFormat; version?: number }) =>
  useQuery({
    queryKey: ['tool', 'export', name, query],
    queryFn: ({ signal }) => call(routes.tools.export, { params: { name }, query }, { signal }),
  })

/** What the team asks before a tool is published. */
export const useToolRules = () =>
  useQuery({
    queryKey: ['tool', 'rules'],
    queryFn: ({ signal }) => call(routes.tools.rules, {}, { signal }),
  })

export const useToolRulesSet = () => useCall(routes.tools.setRules, { changes: ['tool', 'inbox'] })

/** Tools that other teams of this server offer. */
export const useSharedTools = (search: string) =>
  usePages({
    queryKey: ['tool', 'shared', search],
    fetchPage: (cursor, signal) =>
      call(routes.tools.shared, { query: { ...(search && { search }), limit: 50, ...cursor } }, { signal }),
    keepsLast: true,
  })

/** What is wrong with the files of a tool, given as JSON, as the server sees it. */
export const useToolValidate = (json: string) =>
  useQuery({
    queryKey: ['tool', 'validate', json],
    queryFn: async ({ signal }) => {
      const files = JSON.parse(json) as ToolFiles
      return { json, ...(await call(routes.tools.validate, { body: { files } }, { signal })) }
    },
    placeholderData: keepPreviousData,
    gcTime: 10_000,
  })

/** What of a value does not fit a schema, both given as JSON. */
export const useValueCheck = (json: string | undefined) =>
  useQuery({
    queryKey: ['value-check', json],
    queryFn: async ({ signal }) => {
      const body = JSON.parse(json ?? '') as { schema: boolean; value: null }
      return { json, ...(await call(routes.tools.check, { body }, { signal })) }
    },
    enabled: json !== undefined,
    placeholderData: keepPreviousData,
    gcTime: 10_000,
  })
