import { routes } from 'virtual:contract-routes'
import { useCall } from '../query/use-call.ts'
import { threadQuery } from './thread-get.ts'
import { turnsQuery } from './turn-list.ts'

/** Begins a conversation, with its first message. Its page opens with the answer to this, and asks for nothing again. */
export const useThreadCreate = () =>
  useCall(routes.threads.create, {
    changes: [],
    onAnswer(queryClient, { turn, ...thread }) {
      queryClient.setQueryData(threadQuery(thread.id).queryKey, thread)
      const items = turn ? [turn] : []
      queryClient.setQueryData(turnsQuery(thread.id).queryKey, { items, nextCursor: null })
    },
  })
