import { queryOptions } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from './query/call.ts'
import { useCall } from './query/use-call.ts'

/** What an answer did to files. An answer that is over never changes, so it is fetched once. */
export const turnChangesQuery = (id: string) =>
  queryOptions({
    queryKey: ['turn-changes', id],
    queryFn: ({ signal }) => call(routes.threads.turnChanges, { params: { id } }, { signal }),
    staleTime: Infinity,
  })

/** Takes back what an answer did to files, and the conversation where asked. */
export const useTurnUndo = () =>
  useCall(routes.threads.undoTurn, { changes: ['file', 'version', 'workspace', 'thread'] })
