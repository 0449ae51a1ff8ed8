import type { SkillFiles } from '@coherex/contract'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from '../query/call.ts'
import { useCall } from '../query/use-call.ts'
import { usePages } from '../query/use-pages.ts'

export const skillQuery = (name: string) =>
  queryOptions({
    queryKey: ['skill', 'one', name],
    queryFn: ({ signal }) => call(routes.skills.get, { params: { name } }, { signal }),
  })

export const useSkillList = (query: { search?: string } = {}) =>
  usePages({
    queryKey: ['skill', 'list', query],
    fetchPage: (cursor, signal) => call(routes.skills.list, { query: { ...query, limit: 100, ...cursor } }, { signal }),
    keepsLast: true,
  })

export const useSkillChange = () => useCall(routes.skills.change, { changes: ['skill', 'agent'] })
export const useSkillDecide = () => useCall(routes.skills.decide, { changes: ['skill', 'agent', 'inbox'] })
export const useSkillDelete = () => useCall(routes.skills.remove, { changes: ['skill', 'agent'] })

/** What changed between two versions; from 0 it is all of the second. */
export const useSkillDiff = (name: string, versions: { from: number; to: number }) =>
  useQuery({
    queryKey: ['skill', 'diff', name, versions],
    queryFn: ({ signal }) => call(routes.skills.diff, { params: { name }, query: versions }, { signal }),
  })

export const useSkillPut = () => useCall(routes.skills.put, { changes: ['skill', 'agent'] })
export const useSkillRestore = () => useCall(routes.skills.restore, { changes: ['skill', 'agent'] })

/** What is wrong with the files of a skill, given as JSON, as the server sees it. `folder` is the name it must have. */
export const useSkillValidate = (json: string, folder: string | undefined) =>
  useQuery({
    queryKey: ['skill', 'validate', folder, json],
    queryFn: async ({ signal }) => {
      const files = JSON.parse(json) as SkillFiles
      const body = { files, ...(folder && { folder }) }
      return { json, ...(await call(routes.skills.validate, { body }, { signal })) }
    },
    placeholderData: keepPreviousData,
    gcTime: 10_000,
  })

export const skillVersionQuery = (name: string, version: number) =>
  queryOptions({
    queryKey: ['skill', 'version', name, version],
    queryFn: ({ signal }) => call(routes.skills.version, { params: { name, version } }, { signal }),
  })

export const useSkillVersions = (name: string) =>
  usePages({
    queryKey: ['skill', 'versions', name],
    fetchPage: (cursor, signal) =>
      call(routes.skills.versions, { params: { name }, query: { limit: 50, ...cursor } }, { signal }),
  })

/** Where a browser downloads a skill. */
export const skillZipUrl = (name: string) => routes.skills.zip.path.replace('{name}', name)

export const useSkillImport = () => useCall(routes.skills.importZip, { changes: ['skill', 'agent'] })

/** Folders of a workspace that are skills, or would be. */
export const useWorkspaceSkills = (id: string | undefined) =>
  useQuery({
    // changes with the files of the workspace
    queryKey: ['file', id, 'skills'],
    queryFn: ({ signal }) => call(routes.skills.inWorkspace, { params: { id: id ?? '' } }, { signal }),
    enabled: id !== undefined,
  })

export const useWorkspaceSkillDiff = (id: string, name: string) =>
  useQuery({
    queryKey: ['file', id, 'skills', name],
    queryFn: ({ signal }) => call(routes.skills.diffInWorkspace, { params: { id, name } }, { signal }),
  })

export const useWorkspaceSkillDecide = () =>
  useCall(routes.skills.decideInWorkspace, { changes: ['file', 'skill', 'agent'] })
