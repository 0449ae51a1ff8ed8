import type { Run } from '@coherex/contract'
import { queryOptions } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from '../query/call.ts'

/** A run with all it printed. Not under the noun `run`: what changes of it while it is open, its own stream tells. */
export const runQuery = (id: string) =>
  queryOptions({
    queryKey: ['run-record', id],
    async queryFn({ client, queryKey, signal }): Promise<Run> {
      const read = await call(routes.runs.get, { params: { id } }, { signal })
      // the stream may have told the end meanwhile, and an answer from before must not take it back
      const known = client.getQueryData<Run>(queryKey)
      return known && hasEnded(known) && !hasEnded(read) ? known : read
    },
    staleTime: ({ state }) => (state.data && hasEnded(state.data) ? Infinity : 0),
    // the stream tells output and the end, but neither the place in the queue nor that it began
    refetchInterval: ({ state }) =>
      state.data?.status === 'queued' || state.data?.status === 'loading' ? queuePollMs : false,
  })

const queuePollMs = 500

export function hasEnded({ status }: Pick<Run, 'status'>): boolean {
  return status === 'succeeded' || status === 'failed' || status === 'cancelled'
}
