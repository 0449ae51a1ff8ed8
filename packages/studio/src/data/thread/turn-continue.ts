import { routes } from 'virtual:contract-routes'
import { useCall } from '../query/use-call.ts'
import { showTurn } from './show-turn.ts'

export const useTurnContinue = () =>
  useCall(routes.threads.continue, {
    changes: [],
    onAnswer: (queryClient, turn) => showTurn(queryClient, turn),
  })
