import { applyChunk, beginAnswer, routes, type ChatCompletion, type Turn } from '@coherex/contract'
import type { Context, Hono } from 'hono'
import { inTeam, type TeamCaller } from '../../access/index.ts'
import type { StoredTurn } from '../../agents/index.ts'
import type { Api } from '../api.ts'
import { tellError } from '../http/answers/answer-error.ts'
import { toChatError } from '../http/answers/chat-error.ts'
import { mount } from '../http/mount.ts'
import type { Env } from '../http/requests/request-context.ts'
import { deltaOf, streamEvents, textOf, type Answers } from './answers.ts'
import { toConversation } from './conversation.ts'

const { openai: route } = routes

/** Agents for every client that speaks OpenAI's Chat Completions. */
export function mountChatCompletions(app: Hono<Env>, api: Api, answers: Answers): void {
  const { threads, turns } = api.agents

  mount(app, api, route.chat, async ({ body, caller, context }) => {
    const team = inTeam(caller)
    const turn = await begin(team, body.model, toConversation(body.messages, new Date()))
    const gone = answers.stopWhenGone(context, team, turn)
    if (body.stream) {
      return streamAnswer(context, turn, { gone, withUsage: body.stream_options?.include_usage ?? false })
    }
    let answer = beginAnswer()
    for await (const chunk of answers.chunksOf(turn, gone.signal)) answer = applyChunk(answer, chunk)
    // asked again, the agent would do everything again
    context.header('x-should-retry', 'false')
    return toCompletion(await answers.ended(turn), textOf(answer))
  })

  async function begin(caller: TeamCaller, agent: string, conversation: ReturnType<typeof toConversation>) {
    const { before, text, files } = conversation
    await answers.findModel(caller, agent)
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

  function streamAnswer(
    context: Context<Env>,
    turn: StoredTurn,
    { gone, withUsage }: { gone: AbortController; withUsage: boolean },
  ): Response {
    return streamEvents(context, gone, async (write) => {
      // where the usage is asked for, every chunk before it says that it has none
      const noUsage = withUsage ? { usage: null } : {}
      const send = (choices: object[], rest: object = noUsage) =>
        write(`data: ${JSON.stringify({ ...headOf(turn), object: 'chat.completion.chunk', choices, ...rest })}`)
      try {
        await send([{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }])
        let hasWords = false
        for await (const chunk of answers.chunksOf(turn, gone.signal)) {
          const content = deltaOf(chunk, hasWords)
          hasWords ||= content !== ''
          if (content) await send([{ index: 0, delta: { content }, finish_reason: null }])
        }
        const done = toCompletion(await answers.ended(turn), '')
        await send([{ index: 0, delta: {}, finish_reason: done.choices[0]?.finish_reason }])
        if (withUsage) await send([], { usage: done.usage })
      } catch (error) {
        await write(`data: ${JSON.stringify(toChatError(tellError(api.log, error, context)))}`)
      }
      await write('data: [DONE]')
    })
  }
}

function headOf({ id, agentName, createdAt }: StoredTurn) {
  return { id, created: Math.floor(createdAt.getTime() / 1000), model: agentName }
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
