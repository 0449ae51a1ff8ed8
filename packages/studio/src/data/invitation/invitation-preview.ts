import { useQuery } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from '../call.ts'

export const useInvitationPreview = (token: string) =>
  useQuery({
    queryKey: ['invitation', 'preview', token],
    queryFn: ({ signal }) => call(routes.teams.previewInvitation, { body: { token } }, { signal }),
  })
