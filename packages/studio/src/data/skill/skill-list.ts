import { routes } from 'virtual:contract-routes'
import { call } from '../call.ts'
import { usePages } from '../use-pages.ts'

export const useSkillList = (query: { search?: string } = {}) =>
  usePages({
    queryKey: ['skill', 'list', query],
    fetchPage: (cursor, signal) => call(routes.skills.list, { query: { ...query, limit: 100, ...cursor } }, { signal }),
    keepsLast: true,
  })
