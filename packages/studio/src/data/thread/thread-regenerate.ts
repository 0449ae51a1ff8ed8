import { routes } from 'virtual:contract-routes'
import { useCall } from '../query/use-call.ts'
import { showTurn } from './show-turn.ts'

export const useThreadRegenerate = () =>
  useCall(routes.threads.regenerate, {
    changes: [],
    onAnswer: (queryClient, turn) => showTurn(queryClient, turn),
  })
