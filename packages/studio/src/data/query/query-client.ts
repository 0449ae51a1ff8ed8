import { CoherexError } from '@coherex/contract'
import { QueryCache, QueryClient } from '@tanstack/react-query'

export function createQueryClient(): QueryClient {
  const queryClient: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      onError(error, query) {
        // the session ended or the role changed while a page was open: ask again who is asking
        const lost = error instanceof CoherexError && (error.code === 'unauthenticated' || error.code === 'forbidden')
        if (lost && query.queryKey[0] !== 'me') void queryClient.invalidateQueries({ queryKey: ['me'] })
      },
    }),
    defaultOptions: {
      queries: { staleTime: 15_000, retry: mayRetry, networkMode: 'always' },
      mutations: { networkMode: 'always' },
    },
  })
  return queryClient
}

/** Only what nobody can act on is tried again. */
export function mayRetry(failures: number, error: Error): boolean {
  return failures < 2 && error instanceof CoherexError && error.code === 'unavailable'
}
