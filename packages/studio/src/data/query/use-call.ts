import type { Route, RouteRequest, RouteResponse } from '@coherex/contract'
import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { call } from './call.ts'
import { refetchNouns, type Noun } from './noun.ts'
import { mayRetry } from './query-client.ts'

interface CallOptions<R extends Route> {
  /** What must be fetched again after it. */
  changes: readonly Noun[]
  /** How it is sent, where that is not the usual way. */
  send?: (request: RouteRequest<R>, options: { idempotencyKey?: string }) => Promise<RouteResponse<R>>
  /** Shows what the answer says, where that makes fetching needless. */
  onAnswer?: (queryClient: QueryClient, answer: RouteResponse<R>, request: RouteRequest<R> & object) => void
}

/** A call that changes something. */
export function useCall<R extends Route>(route: R, { changes, send, onAnswer }: CallOptions<R>) {
  const queryClient = useQueryClient()
  const repeatable = route.method !== 'post' || route.idempotent !== false
  return useMutation<RouteResponse<R>, Error, RouteRequest<R> & object>({
    // by this the shell knows what was deleted
    mutationKey: [route.method, route.path],
    mutationFn(request) {
      const options = route.method === 'post' && repeatable ? { idempotencyKey: submissionKey(request) } : {}
      return send ? send(request, options) : call(route, request, options)
    },
    retry: (failures, error) => repeatable && mayRetry(failures, error),
    onSuccess(answer, request) {
      onAnswer?.(queryClient, answer, request)
      return refetchNouns(queryClient, [...changes, 'audit'])
    },
  })
}

const submissionKeys = new WeakMap<object, string>()

/** The same for every try of one submission, so that a lost answer does not make the thing twice. */
function submissionKey(request: object): string {
  const known = submissionKeys.get(request)
  if (known) return known
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const key = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  submissionKeys.set(request, key)
  return key
}
