import { callWithProgress, type Route } from '@coherex/contract'
import { useState } from 'react'
import { open } from './call.ts'
import type { Noun } from './noun.ts'
import { useCall } from './use-call.ts'

/** A call that changes something and takes a while: `progress` says how far it is. */
export function useLongCall<R extends Route>(route: R, { changes }: { changes: readonly Noun[] }) {
  const [line, setLine] = useState<string>()
  const mutation = useCall(route, {
    changes,
    send(request, options) {
      setLine(undefined)
      return callWithProgress(open, route, request, { ...options, onProgress: setLine })
    },
  })
  return { ...mutation, progress: mutation.isPending ? line : undefined }
}
