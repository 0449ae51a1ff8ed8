import { routes } from 'virtual:contract-routes'
import { useCall } from '../use-call.ts'

export const useMemberResetLink = () => useCall(routes.signIn.resetMember, { changes: [] })
