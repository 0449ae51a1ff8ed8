import {
  applyChunk,
  beginAnswer,
  CoherexError,
  createOpener,
  followTurn,
  insist,
  type LiveAnswer,
  type MessagePart,
} from '@coherex/contract'
import { routes } from 'virtual:contract-routes'
import { call } from '../call.ts'

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
    let answer = from?.answer ?? beginAnswer(await insist(() => partsBefore(threadId, turnId, signal), options))
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

/** What a turn goes on with. Steps it has finished itself are stored too, and the stream will tell them. */
async function partsBefore(threadId: string, turnId: string, signal: AbortSignal): Promise<MessagePart[]> {
  for (;;) {
    const { answerId, steps } = await call(routes.threads.getTurn, { params: { id: turnId } }, { signal })
    const params = { id: threadId, messageId: answerId }
    const message = await call(routes.threads.message, { params }, { signal })
    if (message.turnId === turnId) return []
    const again = await call(routes.threads.getTurn, { params: { id: turnId } }, { signal })
    // a step that was stored in between would be told twice
    if (again.steps.length !== steps.length) continue
    return withoutLastSteps(message.parts, steps.length)
  }
}

function withoutLastSteps(parts: readonly MessagePart[], count: number): MessagePart[] {
  const starts = parts.flatMap(({ type }, index) => (type === 'step-start' ? [index] : []))
  return parts.slice(0, count === 0 ? parts.length : starts.at(-count))
}
