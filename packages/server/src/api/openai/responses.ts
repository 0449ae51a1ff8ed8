import {
  CoherexError,
  isTurnOver,
  keptRequest,
  pause,
  routes,
  type KeptRequest,
  type ModelResponse,
  type ResponseRequest,
  type Turn,
  type TurnChunk,
} from '@coherex/contract'
import type { UIMessage } from 'ai'
import type { Context, Hono } from 'hono'
import { inTeam, type TeamCaller } from '../../access/index.ts'
import type { Api } from '../api.ts'
import { tellError } from '../http/answers/answer-error.ts'
import { toChatError } from '../http/answers/chat-error.ts'
import { mount } from '../http/mount.ts'
import type { Env } from '../http/requests/request-context.ts'
import { streamEvents, textOf, type Answers } from './answers.ts'
import { refuseField } from './conversation.ts'
import { readItems } from './input-items.ts'
import { toModelResponse, turnIdOf } from './model-response.ts'
import { isClosing, tellResponse } from './response-events.ts'

const { openai: route } = routes
const lookAgainMs = 500
const longestTitle = 80
/** How long a conversation that is not kept may take to stop before it is left. */
const forgetWithinMs = 60_000

const nothingKept: KeptRequest = {
  instructions: null,
  metadata: {},
  previous_response_id: null,
  background: false,
  store: true,
}

/** Agents for every client that speaks OpenAI's Responses. A response is a turn, and a chain of them is a thread. */
export function mountResponses(app: Hono<Env>, api: Api, answers: Answers): void {
  const { threads, turns } = api.agents

  mount(app, api, route.respond, async ({ body, caller, context }) => {
    const team = inTeam(caller)
    const kept = toKept(body)
    const begun = await begin(team, body, kept, context.req.raw.signal)
    const turn = await turns.get(team.teamId, begun.id)
    if (kept.background) {
      const never = new AbortController()
      return body.stream ? tell(context, team, turn, { kept, gone: never }) : toModelResponse(turn, kept, '')
    }
    const gone = answers.stopWhenGone(context, team, turn)
    if (body.stream) return tell(context, team, turn, { kept, gone })
    // asked again, the agent would do everything again
    context.header('x-should-retry', 'false')
    try {
      for await (const _ of answers.chunksOf({ ...team, id: turn.id }, gone.signal));
      const ended = await answers.ended({ ...team, id: turn.id })
      return toModelResponse(ended, kept, await readText(team, ended))
    } finally {
      if (!kept.store) forget(team, turn)
    }
  })

  mount(app, api, route.response, async ({ params, query, caller, context }) => {
    const team = inTeam(caller)
    const turn = await findTurn(team, params.id, 'response_id')
    const kept = await readKept(team, turn)
    if (query.stream !== 'true') return toModelResponse(turn, kept, await readText(team, turn))
    // whoever reads along leaves the work alone
    const gone = new AbortController()
    return tell(context, team, turn, { kept, gone, after: query.starting_after })
  })

  mount(app, api, route.cancelResponse, async ({ params, caller }) => {
    const team = inTeam(caller)
    const { id } = await findTurn(team, params.id, 'response_id')
    const turn = await turns.stop(team, id)
    return toModelResponse(turn, await readKept(team, turn), await readText(team, turn))
  })

  mount(app, api, route.removeResponse, async ({ params, caller }) => {
    const team = inTeam(caller)
    const { id } = await findTurn(team, params.id, 'response_id')
    await threads.removeTurn(team, id)
    return { id: params.id, object: 'response' as const, deleted: true as const }
  })

  async function findTurn({ teamId }: TeamCaller, id: string, field: string): Promise<Turn> {
    const turnId = turnIdOf(id)
    const found = turnId && (await turns.get(teamId, turnId).catch(toUndefined))
    if (found) return found
    const message = `There is no response "${id}"`
    throw new CoherexError('not_found', message, { details: [{ field, message }] })
  }

  async function begin(team: TeamCaller, body: ResponseRequest, kept: KeptRequest, signal: AbortSignal) {
    await answers.findModel(team, body.model)
    if (kept.background && !kept.store) {
      throw refuseField('store', 'must be true in the background: nobody could read the answer')
    }
    const previous =
      kept.previous_response_id === null
        ? undefined
        : await findTurn(team, kept.previous_response_id, 'previous_response_id')
    if (previous && !isTurnOver(previous.status)) {
      throw refuseField('previous_response_id', 'is still in progress: wait for it, or cancel it')
    }
    if (previous && previous.agent !== body.model) {
      throw refuseField('model', `must be "${previous.agent}": a conversation stays with its agent`)
    }
    const { before, text, files } = await readItems(body.input, (id, field) => readReferred(team, id, field))
    const saying = {
      ...{ caller: team, text, files },
      metadata: { response: kept },
      before: [
        ...(kept.instructions === null ? [] : [instruct(kept.instructions)]),
        ...before.map(({ role, parts, createdBy }) => ({
          ...{ role, authorName: createdBy },
          parts: parts as UIMessage['parts'],
        })),
      ],
    }
    if (previous && kept.store) return sayWhenFree(saying, previous, signal)

    const threadId = previous
      ? await copyBranch(team, previous)
      : (await threads.create(team, { agent: body.model, title: titleOf(text) })).id
    return turns.say({ ...saying, threadId }).catch(async (error: unknown) => {
      await threads.remove(team, threadId)
      throw error
    })
  }

  /** A thread has one turn at a time: a second branch from the same answer waits for the first. */
  async function sayWhenFree(
    saying: Omit<Parameters<typeof turns.say>[0], 'threadId'>,
    { threadId, answerId }: Turn,
    signal: AbortSignal,
  ) {
    const { teamId } = saying.caller
    for (;;) {
      signal.throwIfAborted()
      if (!(await turns.current(teamId, threadId))) {
        try {
          return await turns.say({ ...saying, threadId, parentId: answerId })
        } catch (error) {
          const wasLate = error instanceof CoherexError && error.code === 'conflict'
          if (!wasLate || !(await turns.current(teamId, threadId))) throw error
        }
      }
      await pause(lookAgainMs, signal)
    }
  }

  /** What an answer that is not kept goes on from, in a thread that can go with it. */
  async function copyBranch(team: TeamCaller, { threadId, answerId }: Turn): Promise<string> {
    const file = await threads.export(team.teamId, threadId)
    const byId = new Map(file.messages.map((message) => [message.id, message]))
    const messages: typeof file.messages = []
    for (let at = byId.get(answerId); at; at = byId.get(at.parentId ?? '')) messages.unshift(at)
    return (await threads.import(team, { ...file, messages })).id
  }

  /** Clients name an answer that they were given before, where they could send it back. */
  async function readReferred(team: TeamCaller, id: string, field: string): Promise<string> {
    const turnId = turnIdOf(id)
    const turn = turnId && (await turns.get(team.teamId, turnId).catch(toUndefined))
    if (!turn) throw refuseField(field, `there is no item "${id}"`)
    return readText(team, turn)
  }

  async function readText({ teamId }: TeamCaller, { threadId, answerId }: Turn): Promise<string> {
    return textOf(await threads.readMessage(teamId, threadId, answerId))
  }

  async function readKept({ teamId }: TeamCaller, { threadId, questionId }: Turn): Promise<KeptRequest> {
    const { metadata } = await threads.readMessage(teamId, threadId, questionId)
    const { data } = keptRequest.safeParse(metadata?.['response'])
    // one that was begun elsewhere, such as in the studio
    return data ?? nothingKept
  }

  function tell(
    context: Context<Env>,
    team: TeamCaller,
    turn: Turn,
    { kept, gone, after = -1 }: { kept: KeptRequest; gone: AbortController; after?: number | undefined },
  ): Response {
    const begun: ModelResponse = {
      ...toModelResponse(turn, kept, ''),
      ...{ status: 'in_progress', output: [], usage: null, completed_at: null, error: null, incomplete_details: null },
    }
    return streamEvents(context, gone, async (write) => {
      let number = 0
      const send = ({ type, ...rest }: { type: string } & Record<string, unknown>) =>
        write(`event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: number++, ...rest })}`)
      const end = async (text: string) => toModelResponse(await turns.get(team.teamId, turn.id), kept, text)
      try {
        const chunks = chunksOf(team, turn, gone.signal)
        for await (const event of tellResponse({ turnId: turn.id, begun, chunks, end })) {
          // how it ended is heard by everyone
          if (number > after || isClosing(event)) await send(event)
          else number++
        }
      } catch (error) {
        const { error: told } = toChatError(tellError(api.log, error, context))
        await send({ ...told, type: 'error' })
      } finally {
        if (!kept.store) forget(team, turn)
      }
    })
  }

  async function* chunksOf(team: TeamCaller, turn: Turn, signal: AbortSignal): AsyncGenerator<TurnChunk> {
    let hasWords = false
    for await (const chunk of answers.chunksOf({ ...team, id: turn.id }, signal)) {
      hasWords ||= chunk.type === 'text-delta'
      yield chunk
    }
    if (hasWords || !turn.endedAt) return
    // what it said is no longer streamed, and is told in one go
    yield { type: 'text-delta', id: turn.id, delta: await readText(team, turn) }
  }

  /** Removes a conversation that is not to be kept. Nobody waits for it. */
  function forget(team: TeamCaller, { id, threadId }: Turn): void {
    const remove = async () => {
      const signal = AbortSignal.timeout(forgetWithinMs)
      for (let turn = await turns.stop(team, id); !isTurnOver(turn.status); turn = await turns.get(team.teamId, id)) {
        signal.throwIfAborted()
        await pause(lookAgainMs, signal)
      }
      await threads.remove(team, threadId)
    }
    void remove().catch((error: unknown) => api.log.warn({ error, threadId }, 'a conversation was not removed'))
  }
}

function toKept({ instructions, metadata, previous_response_id, background, store }: ResponseRequest): KeptRequest {
  return {
    instructions: instructions || null,
    metadata: metadata ?? {},
    previous_response_id: previous_response_id ?? null,
    background: background ?? false,
    store: store ?? true,
  }
}

/** The caller's word, no more: only the definition of an agent instructs it as the system. The next response does not heed them. */
function instruct(instructions: string) {
  return {
    ...{ role: 'user' as const, authorName: 'instructions', isForNow: true },
    parts: [{ type: 'text' as const, text: instructions }],
  }
}

function titleOf(text: string): string {
  return text.trim().split('\n', 1)[0]?.slice(0, longestTitle).toWellFormed() || 'Response'
}

function toUndefined(error: unknown): undefined {
  if (error instanceof CoherexError && error.code === 'not_found') return undefined
  throw error
}
