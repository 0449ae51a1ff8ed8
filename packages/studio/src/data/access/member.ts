import { routes } from 'virtual:contract-routes'
import { call } from '../query/call.ts'
import { useCall } from '../query/use-call.ts'
import { usePages } from '../query/use-pages.ts'

export const useMemberList = () =>
  usePages({
    queryKey: ['member', 'list'],
    fetchPage: (cursor, signal) => call(routes.teams.listMembers, { query: cursor }, { signal }),
  })

export const useMemberChangeRole = () => useCall(routes.teams.changeRole, { changes: ['member', 'me'] })

/** Removes someone from the team; with one's own id it is leaving. */
export const useMemberRemove = () => useCall(routes.teams.removeMember, { changes: ['member', 'quota', 'me'] })
export const useMemberResetLink = () => useCall(routes.signIn.resetMember, { changes: [] })
