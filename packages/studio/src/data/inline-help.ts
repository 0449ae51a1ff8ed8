import type { AssistRequest, SuggestRequest } from '@coherex/contract'
import { useMutation } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from './query/call.ts'

/** What a model would write at the cursor. */
export const readSuggestion = (asked: SuggestRequest, signal: AbortSignal) =>
  call(routes.models.suggest, { body: asked }, { signal })

/** What a model answers about a file. It changes nothing, and is asked once. */
export const useAssist = () =>
  useMutation({
    mutationFn: ({ asked, signal }: { asked: AssistRequest; signal: AbortSignal }) =>
      call(routes.models.assist, { body: asked }, { signal }),
    retry: false,
  })
