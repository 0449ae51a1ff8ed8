import {
  applyChunk,
  beginAnswer,
  CoherexError,
  followAnswer,
  routes,
  type ChatCompletion,
  type LiveAnswer,
  type Turn,
  type TurnChunk,
} from '@coherex/contract'
import type { Context, Hono } from 'hono'
import { stream } from 'hono/streaming'
import { inTeam, type TeamCaller } from '../../access/index.ts'
import { isFailure, type NumberedChunk, type StoredTurn } from '../../agents/index.ts'
import type { StoredAgent } from '../../registry/index.ts'
import { tellError } from '../http/answers/answer-error.ts'
import type { Api } from '../http/api.ts'
import { mount } from '../http/mount.ts'
import type { Env } from '../http/requests/request-context.ts'
import { toChatError } from './chat-error.ts'
import { toConversation } from './conversation.ts'

const { openai: route } = routes
const agentsAtOnce = 200
const keepAliveMs = 15_000
const lookAgainMs = 1_000

/** Agents for every client that speaks OpenAI's Chat Completions. */
export function mountOpenAi(app: Hono<Env>, api: Api): void {
  const { agents, registry } = api
  const { threads, turns } = agents

  mount(app, api, route.models, async ({ caller }) => {
    const { teamId } = inTeam(caller)
    const data: ReturnType<typeof toModel>[] = []
    let cursor: string | undefined
    // these clients know no pages
    do {
      const page = await registry.agents.list(teamId, { limit: agentsAtOnce, status: 'active', cursor })
      data.push(...page.items.map(toModel))
      cursor = page.nextCursor ?? undefined
    } while (cursor)
    return { object: 'list' as const, data }
  })

  mount(app, api, route.model, async ({ params, caller }) => toModel(await findModel(inTeam(caller), params.model)))

  mount(app, api, route.chat, async ({ body, caller, context }) => {
    const team = inTeam(caller)
    const turn = await begin(team, body.model, toConversation(body.messages, new Date()))
    // a client that hangs up wants no answer any more
    const gone = new AbortController()
    gone.signal.addEventListener('abort', () => void turns.stop(team, turn.id).catch(() => undefined))
    context.req.raw.signal.addEventListener('abort', () => gone.abort(), { once: true })
    if (body.stream) {
      return streamAnswer(context, turn, { gone, withUsage: body.stream_options?.include_usage ?? false })
    }
    let answer = beginAnswer()
    for await (const chunk of chunksOf(turn, gone.signal)) answer = applyChunk(answer, chunk)
    // asked again, the agent would do everything again
    context.header('x-should-retry', 'false')
    return toCompletion(await ended(turn), textOf(answer))
  })

  async function findModel({ teamId }: TeamCaller, name: string): Promise<StoredAgent> {
    const agent = await registry.agents.get(teamId, name).catch((error: unknown) => {
      if (error instanceof CoherexError && error.code === 'not_found') return undefined
      throw error
    })
    if (agent?.status === 'active') return agent
    const message = `The model "${name}" does not exist: a model is an active agent`
    throw new CoherexError('not_found', message, { details: [{ field: 'model', message }] })
  }

  async function begin(caller: TeamCaller, agent: string, conversation: ReturnType<typeof toConversation>) {
    const { before, text, files } = conversation
    await findModel(caller, agent)
    const thread = await threads.import(caller, {
      kind: 'coherex-thread',
      version: 1,
      agent,
      title: 'Chat Completions',
      messages: before,
    })
    return turns.say({ caller, threadId: thread.id, text, files }).catch(async (error: unknown) => {
      // nobody can ask there again: these clients do not know of threads
      await threads.remove(caller, thread.id)
      throw error
    })
  }

  /** To the very end: these clients know no other answer, so a turn that rests is waited for. */
  async function* chunksOf({ teamId, id }: StoredTurn, signal: AbortSignal): AsyncGenerator<TurnChunk> {
    const news = followAnswer<NumberedChunk>({
      read: (last) => turns.stream({ teamId, id }, last ? last.number + 1 : 0, signal),
      look: async () => (await turns.get(teamId, id)).status,
      lookAgainMs,
      signal,
    })
    for await (const one of news) if (one.type === 'said') yield one.said.chunk
  }

  /** A turn that ended badly is an error, as it is with the providers these clients know. */
  async function ended({ teamId, id }: StoredTurn): Promise<Turn> {
    const turn = await turns.get(teamId, id)
    const { ending } = turn
    if (!ending || !isFailure(ending)) return turn
    if (ending.kind === 'model') throw new CoherexError('unavailable', ending.message)
    throw new CoherexError(ending.kind === 'rights' ? 'forbidden' : 'internal', ending.message)
  }

  function streamAnswer(
    context: Context<Env>,
    turn: StoredTurn,
    { gone, withUsage }: { gone: AbortController; withUsage: boolean },
  ): Response {
    context.header('content-type', 'text/event-stream')
    context.header('cache-control', 'no-store')
    context.header('x-accel-buffering', 'no')
    return stream(context, async (out) => {
      out.onAbort(() => gone.abort())
      // where the usage is asked for, every chunk before it says that it has none
      const noUsage = withUsage ? { usage: null } : {}
      const send = (choices: object[], rest: object = noUsage) =>
        out.write(`data: ${JSON.stringify({ ...headOf(turn), object: 'chat.completion.chunk', choices, ...rest })}\n\n`)
      const timer = setInterval(() => void out.write(': still here\n\n'), keepAliveMs)
      try {
        await send([{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }])
        let hasWords = false
        for await (const chunk of chunksOf(turn, gone.signal)) {
          const content = deltaOf(chunk, hasWords)
          hasWords ||= content !== ''
          if (content) await send([{ index: 0, delta: { content }, finish_reason: null }])
        }
        const done = toCompletion(await ended(turn), '')
        await send([{ index: 0, delta: {}, finish_reason: done.choices[0]?.finish_reason }])
        if (withUsage) await send([], { usage: done.usage })
      } catch (error) {
        await out.write(`data: ${JSON.stringify(toChatError(tellError(api.log, error, context)))}\n\n`)
      } finally {
        clearInterval(timer)
      }
      await out.write('data: [DONE]\n\n')
    })
  }
}

/** What another step says stands apart. */
function textOf({ parts }: LiveAnswer): string {
  const texts = parts.flatMap((part) => (part.type === 'text' ? String(part['text']) : []))
  return texts.filter((text) => text !== '').join('\n\n')
}

function deltaOf(chunk: TurnChunk, hasWords: boolean): string {
  // what another step says stands apart; so does what is said anew, because nothing that was heard can be taken back
  if (chunk.type === 'text-start') return hasWords ? '\n\n' : ''
  return chunk.type === 'text-delta' ? chunk.delta : ''
}

function headOf({ id, agentName, createdAt }: StoredTurn) {
  return { id, created: Math.floor(createdAt.getTime() / 1000), model: agentName }
}

function toModel({ name, createdAt }: { name: string; createdAt: string | Date }) {
  const created = Math.floor(new Date(createdAt).getTime() / 1000)
  return { id: name, object: 'model' as const, created, owned_by: 'coherex' }
}

/** Limits of the agent and of the model cut an answer short; so does a person who stops it. */
function finishReasonOf({ status, steps }: Turn): ChatCompletion['choices'][number]['finish_reason'] {
  const last = steps.at(-1)?.finishReason
  if (last === 'content-filter') return 'content_filter'
  return status === 'done' && last !== 'length' ? 'stop' : 'length'
}

function toCompletion(turn: Turn, content: string): ChatCompletion {
  const { inputTokens, outputTokens, cachedInputTokens } = turn.use
  return {
    id: turn.id,
    object: 'chat.completion',
    created: Math.floor(Date.parse(turn.createdAt) / 1000),
    model: turn.agent,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content, refusal: null },
        finish_reason: finishReasonOf(turn),
        logprobs: null,
      },
    ],
    usage: {
      prompt_tokens: inputTokens,
      completion_tokens: outputTokens,
      total_tokens: inputTokens + outputTokens,
      prompt_tokens_details: { cached_tokens: cachedInputTokens },
    },
  }
}
