import type { TurnRequest } from '../agents/thread.ts'
import type { TurnChunk } from '../agents/turn-chunk.ts'
import { readEvents } from '../wire/read-events.ts'
import type { Line } from './follow-run.ts'
import type { SignalLike } from './pause.ts'
import { persist, readConnection, type FollowOptions, type StreamedResponse } from './persist.ts'

/** A chunk and its id, which names its turn: a stream that broke off goes on after the last one that was read. */
export interface HeardChunk {
  id: string
  chunk: TurnChunk
}

export interface TurnToFollow {
  threadId: string
  /** What to say: that begins the turn. */
  said?: TurnRequest
  /** A turn that is under way. */
  turnId?: string
  /** Where to go on, for one that was heard before. */
  last?: string | undefined
}

export interface FollowTurnOptions extends FollowOptions {
  /** It ended while nobody listened: what it said since is only in its message. */
  onGone?: () => void
}

export function turnIdOf(eventId: string): string {
  return eventId.slice(0, eventId.indexOf(':'))
}

/** What a turn says until it ends or rests, over as many connections as that takes. */
export function followTurn<Response extends StreamedResponse>(
  { open, routes: { threads } }: Pick<Line<'threads', Response>, 'open' | 'routes'>,
  { threadId, said, turnId, last }: TurnToFollow,
  options: FollowTurnOptions = {},
): AsyncGenerator<HeardChunk, void> {
  const params = { id: threadId }
  let ownId = turnId ?? (last === undefined ? undefined : turnIdOf(last))

  async function* attempt(heard: () => void): AsyncGenerator<HeardChunk, boolean> {
    let isNothing = false
    const connect = async (signal: SignalLike) => {
      const isNew = last === undefined && said !== undefined
      const headers = { accept: 'text/event-stream', ...(last !== undefined && { 'last-event-id': last }) }
      const response = isNew
        ? await open(threads.turn, { params, body: said }, { signal })
        : await open(threads.stream, { params }, { signal, headers })
      isNothing = response.status === 204
      return response
    }
    for await (const { id, data } of readEvents(readConnection(connect, options))) {
      if (data === '[DONE]') return true
      ownId ??= turnIdOf(id)
      // another turn has begun since: this one is over
      if (turnIdOf(id) !== ownId) {
        options.onGone?.()
        return true
      }
      heard()
      if (last !== undefined && numberOf(id) <= numberOf(last)) continue
      last = id
      yield { id, chunk: JSON.parse(data) as TurnChunk }
    }
    if (isNothing) options.onGone?.()
    return isNothing
  }

  // what was said may have been heard: to say it again could have it done twice
  return persist(attempt, options, () => said === undefined || last !== undefined)
}

function numberOf(eventId: string): number {
  return Number(eventId.slice(eventId.indexOf(':') + 1))
}
