import { routes } from 'virtual:contract-routes'
import { useCall } from '../query/use-call.ts'
import { showTurn } from './show-turn.ts'
import { threadQuery } from './thread-get.ts'

/** Says something and does not wait for the answer; the stream of the thread tells it. While the agent works it is queued. */
export const useThreadSay = () =>
  useCall(routes.threads.turn, {
    changes: [],
    onAnswer(queryClient, { queued, ...turn }, { body }) {
      if (!queued) return showTurn(queryClient, turn, body)
      queryClient.setQueryData(threadQuery(turn.threadId).queryKey, (thread) =>
        thread && thread.queued.every(({ id }) => id !== queued.id)
          ? { ...thread, queued: [...thread.queued, queued] }
          : thread,
      )
    },
  })
