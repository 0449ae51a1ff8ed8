import { routes } from 'virtual:contract-routes'
import { call } from '../call.ts'
import { usePages } from '../use-pages.ts'

export const useInvitationList = ({ enabled }: { enabled: boolean }) =>
  usePages({
    queryKey: ['invitation', 'list'],
    fetchPage: (cursor, signal) => call(routes.teams.listInvitations, { query: cursor }, { signal }),
    enabled,
  })
