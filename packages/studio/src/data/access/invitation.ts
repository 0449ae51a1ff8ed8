import { useQuery } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from '../query/call.ts'
import { useCall } from '../query/use-call.ts'
import { usePages } from '../query/use-pages.ts'
import { useSignIn } from './sign-in.ts'

export const useInvitationList = ({ enabled }: { enabled: boolean }) =>
  usePages({
    queryKey: ['invitation', 'list'],
    fetchPage: (cursor, signal) => call(routes.teams.listInvitations, { query: cursor }, { signal }),
    enabled,
  })

export const useInvitationAccept = () => useSignIn(routes.teams.acceptInvitation)
export const useInvitationCreate = () => useCall(routes.teams.invite, { changes: ['invitation'] })

export const useInvitationPreview = (token: string) =>
  useQuery({
    queryKey: ['invitation', 'preview', token],
    queryFn: ({ signal }) => call(routes.teams.previewInvitation, { body: { token } }, { signal }),
  })

export const useInvitationRevoke = () => useCall(routes.teams.revokeInvitation, { changes: ['invitation'] })
