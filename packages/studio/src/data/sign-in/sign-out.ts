import { useMutation } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { forgetDrafts } from '../../shell/draft.ts'
import { call } from '../call.ts'

export const useSignOut = () =>
  useMutation({
    mutationFn: () => call(routes.signIn.out, {}),
    onSuccess() {
      forgetDrafts()
      // a fresh page: nothing of this person stays in its memory
      location.assign('/sign-in')
    },
  })
