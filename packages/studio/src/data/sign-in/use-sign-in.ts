import type { Me, Route, RouteRequest } from '@coherex/contract'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../call.ts'
import { meQuery } from '../me/me-get.ts'

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
