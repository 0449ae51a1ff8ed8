import { routes } from 'virtual:contract-routes'
import { useCall } from '../use-call.ts'

/** Removes someone from the team; with one's own id it is leaving. */
export const useMemberRemove = () => useCall(routes.teams.removeMember, { changes: ['member', 'quota', 'me'] })
