import { routes } from 'virtual:contract-routes'
import { call } from '../call.ts'
import { usePages } from '../use-pages.ts'

export const useSkillVersions = (name: string) =>
  usePages({
    queryKey: ['skill', 'versions', name],
    fetchPage: (cursor, signal) =>
      call(routes.skills.versions, { params: { name }, query: { limit: 50, ...cursor } }, { signal }),
  })
