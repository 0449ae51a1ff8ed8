import { queryOptions } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from '../query/call.ts'

const shown = 100

/** The last turns of a thread, newest first: what they took and how they ended. */
export const turnsQuery = (threadId: string) =>
  queryOptions({
    queryKey: ['thread', 'turns', threadId],
    queryFn: ({ signal }) => call(routes.threads.turns, { query: { threadId, limit: shown } }, { signal }),
  })
