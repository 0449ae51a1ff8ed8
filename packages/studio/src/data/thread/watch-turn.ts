import { CoherexError, createOpener, readEvents } from '@coherex/contract'
import { routes } from 'virtual:contract-routes'
import { bodyChunks } from '../body-chunks.ts'
import { call } from '../call.ts'
import { pause } from '../pause.ts'
import { applyChunk, type Chunk, type LiveAnswer, type Part } from './apply-chunk.ts'

const open = createOpener({ baseUrl: '', fetch: (url, init) => fetch(url, init) })
const longestWaitMs = 10_000

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
  let answer = from?.answer
  let last = from?.last
  let failures = 0
  while (!signal.aborted) {
    try {
      answer ??= begin(await partsBefore(threadId, turnId, signal))
      const headers = { accept: 'text/event-stream', ...(last !== undefined && { 'last-event-id': last }) }
      const response = await open(routes.threads.stream, { params: { id: threadId } }, { headers, signal })
      if (response.status === 204) return listener.onEnd()
      for await (const { id, data } of readEvents(bodyChunks(response))) {
        if (signal.aborted) return
        // another turn has begun since: this one is over
        if (data === '[DONE]' || !id.startsWith(`${turnId}:`)) return listener.onEnd()
        last = id
        failures = 0
        answer = applyChunk(answer, JSON.parse(data) as Chunk)
        listener.onAnswer(answer, id)
      }
    } catch (error) {
      if (signal.aborted) return
      const isFinal = error instanceof CoherexError && error.code !== 'unavailable' && error.code !== 'internal'
      if (isFinal) return listener.onRefused()
    }
    failures += 1
    if (failures > 1) listener.onLost()
    await pause(Math.min(longestWaitMs, 250 * 2 ** failures), signal)
  }
}

function begin(parts: Part[]): LiveAnswer {
  return { id: undefined, retry: undefined, parts, before: parts.length }
}

/** What a turn goes on with. Steps it has finished itself are stored too, and the stream will tell them. */
async function partsBefore(threadId: string, turnId: string, signal: AbortSignal): Promise<Part[]> {
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

function withoutLastSteps(parts: readonly Part[], count: number): Part[] {
  const starts = parts.flatMap(({ type }, index) => (type === 'step-start' ? [index] : []))
  return parts.slice(0, count === 0 ? parts.length : starts.at(-count))
}
