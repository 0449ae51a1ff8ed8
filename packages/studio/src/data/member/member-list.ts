import { routes } from 'virtual:contract-routes'
import { call } from '../call.ts'
import { usePages } from '../use-pages.ts'

export const useMemberList = () =>
  usePages({
    queryKey: ['member', 'list'],
    fetchPage: (cursor, signal) => call(routes.teams.listMembers, { query: cursor }, { signal }),
  })
