import {
  CoherexError,
  followAnswer,
  type LiveAnswer,
  type MessagePart,
  type Turn,
  type TurnChunk,
} from '@coherex/contract'
import type { Context } from 'hono'
import { stream } from 'hono/streaming'
import type { TeamCaller } from '../../access/index.ts'
import { isFailure, type NumberedChunk } from '../../agents/index.ts'
import type { StoredAgent } from '../../registry/index.ts'
import type { Api } from '../api.ts'
import type { Env } from '../http/requests/request-context.ts'

const keepAliveMs = 15_000
const lookAgainMs = 1_000

export type Answers = ReturnType<typeof createAnswers>

/** How agents answer clients that know models alone. */
export function createAnswers({ agents: { turns }, registry }: Pick<Api, 'agents' | 'registry'>) {
  return {
    async findModel({ teamId }: TeamCaller, name: string): Promise<StoredAgent> {
      const agent = await registry.agents.get(teamId, name).catch((error: unknown) => {
        if (error instanceof CoherexError && error.code === 'not_found') return undefined
        throw error
      })
      if (agent?.status === 'active') return agent
      const message = `The model "${name}" does not exist: a model is an active agent`
      throw new CoherexError('not_found', message, { details: [{ field: 'model', message }] })
    },

    /** Aborts when the client hangs up: it wants no answer any more, so the turn is stopped. */
    stopWhenGone(context: Context<Env>, caller: TeamCaller, { id }: { id: string }): AbortController {
      const gone = new AbortController()
      gone.signal.addEventListener('abort', () => void turns.stop(caller, id).catch(() => undefined))
      const { signal } = context.req.raw
      if (signal.aborted) gone.abort()
      signal.addEventListener('abort', () => gone.abort(), { once: true })
      return gone
    },

    /** To the very end: these clients know no other answer, so a turn that rests is waited for. */
    async *chunksOf({ teamId, id }: { teamId: string; id: string }, signal: AbortSignal): AsyncGenerator<TurnChunk> {
      const news = followAnswer<NumberedChunk>({
        read: (last) => turns.stream({ teamId, id }, last ? last.number + 1 : 0, signal),
        look: async () => (await turns.get(teamId, id)).status,
        lookAgainMs,
        signal,
      })
      for await (const one of news) if (one.type === 'said') yield one.said.chunk
    },

    /** A turn that ended badly is an error, as it is with the providers these clients know. */
    async ended({ teamId, id }: { teamId: string; id: string }): Promise<Turn> {
      const turn = await turns.get(teamId, id)
      const { ending } = turn
      if (!ending || !isFailure(ending)) return turn
      if (ending.kind === 'model') throw new CoherexError('unavailable', ending.message)
      throw new CoherexError(ending.kind === 'rights' ? 'forbidden' : 'internal', ending.message)
    },
  }
}

/** What another step says stands apart. */
export function textOf({ parts }: { parts: LiveAnswer['parts'] | MessagePart[] }): string {
  const texts = parts.flatMap((part) => (part.type === 'text' ? String(part['text']) : []))
  return texts.filter((text) => text !== '').join('\n\n')
}

export function deltaOf(chunk: TurnChunk, hasWords: boolean): string {
  // what another step says stands apart; so does what is said anew, because nothing that was heard can be taken back
  if (chunk.type === 'text-start') return hasWords ? '\n\n' : ''
  return chunk.type === 'text-delta' ? chunk.delta : ''
}

/** Server-sent events, with a sign of life while the agent is silent. */
export function streamEvents(
  context: Context<Env>,
  gone: AbortController,
  tell: (write: (event: string) => Promise<unknown>) => Promise<void>,
): Response {
  context.header('content-type', 'text/event-stream')
  context.header('cache-control', 'no-store')
  context.header('x-accel-buffering', 'no')
  return stream(context, async (out) => {
    out.onAbort(() => gone.abort())
    const timer = setInterval(() => void out.write(': still here\n\n'), keepAliveMs)
    try {
      await tell((event) => out.write(`${event}\n\n`))
    } finally {
      clearInterval(timer)
    }
  })
}
