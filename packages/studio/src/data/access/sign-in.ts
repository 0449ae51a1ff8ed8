import type { Me, Route, RouteRequest } from '@coherex/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { forgetDrafts } from '../../ui/state/draft.ts'
import { call } from '../query/call.ts'
import { meQuery } from './me.ts'

/** A call that answers who is signed in from now on. What was shown of anyone else, or of another team, is forgotten. */
export function useSignIn<R extends Route>(route: R) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (request: RouteRequest<R>) => call(route, request) as Promise<Me>,
    async onSuccess(me) {
      await queryClient.cancelQueries()
      queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'me', type: 'inactive' })
      queryClient.setQueryData(meQuery.queryKey, me)
      void queryClient.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'me' })
    },
  })
}

export const useSignInLink = () => useSignIn(routes.signIn.withLink)

export const useSignInMethods = () =>
  useQuery({
    queryKey: ['sign-in', 'methods'],
    queryFn: ({ signal }) => call(routes.signIn.methods, {}, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })

export const useSignInPassword = () => useSignIn(routes.signIn.withPassword)
export const useSetupFinish = () => useSignIn(routes.signIn.finishSetup)

export const useSignOut = () =>
  useMutation({
    mutationFn: () => call(routes.signIn.out, {}),
    onSuccess() {
      forgetDrafts()
      // a fresh page: nothing of this person stays in its memory
      location.assign('/sign-in')
    },
  })
