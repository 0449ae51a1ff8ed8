import { CoherexError, type Me } from '@coherex/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from '../query/call.ts'
import { useCall } from '../query/use-call.ts'

/** Who is signed in; null when nobody is. */
export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }): Promise<Me | null> =>
    call(routes.signIn.me, {}, { signal }).catch((error: unknown) => {
      if (error instanceof CoherexError && error.code === 'unauthenticated') return null
      throw error
    }),
  staleTime: 60_000,
})

/** Who is signed in, for pages behind the sign-in. */
export function useMe(): Me {
  const { data } = useQuery(meQuery)
  if (!data) throw new Error('This page is only reached by someone who is signed in')
  return data
}

export const useMeUpdate = () => useCall(routes.signIn.updateMe, { changes: ['me', 'member'] })
