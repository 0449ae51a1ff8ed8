import { useQuery } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from '../call.ts'

export const useSignInMethods = () =>
  useQuery({
    queryKey: ['sign-in', 'methods'],
    queryFn: ({ signal }) => call(routes.signIn.methods, {}, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
