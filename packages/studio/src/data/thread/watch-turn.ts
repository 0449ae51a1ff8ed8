import { applyChunk, beginAnswer, CoherexError, createOpener, followTurn, type LiveAnswer } from '@coherex/contract'
import { routes } from 'virtual:contract-routes'

const open = createOpener({ baseUrl: '', fetch: (url, init) => fetch(url, init) })

interface TurnListener {
  /** With the id of the last event that is in it. */
  onAnswer: (answer: LiveAnswer, last: string) => void
  /** Nothing more comes for now: the thread has all of it. */
  onEnd: () => void
  /** It may not be heard any more. */
  onRefused: () => void
  /** The stream broke off; it is tried again. */
  onLost: () => void
}

interface Watched {
  threadId: string
  turnId: string
  /** Where to go on, for one that was heard before. */
  from?: { answer: LiveAnswer; last: string } | undefined
}

/** Tells the turn under way in a thread to its end, over as many connections as that takes. Returns how to stop. */
export function watchTurn(watched: Watched, listener: TurnListener): () => void {
  const stopped = new AbortController()
  void follow(watched, listener, stopped.signal)
  return () => stopped.abort()
}

async function follow({ threadId, turnId, from }: Watched, listener: TurnListener, signal: AbortSignal): Promise<void> {
  const onLost = (failures: number) => failures > 1 && listener.onLost()
  const options = { signal, onLost }
  try {
    let answer = from?.answer ?? beginAnswer()
    for await (const { id, chunk } of followTurn({ open, routes }, { threadId, turnId, last: from?.last }, options)) {
      if (signal.aborted) return
      answer = applyChunk(answer, chunk)
      listener.onAnswer(answer, id)
    }
    listener.onEnd()
  } catch (error) {
    if (signal.aborted) return
    if (!(error instanceof CoherexError)) throw error
    listener.onRefused()
  }
}
