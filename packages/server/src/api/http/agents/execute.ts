import { CoherexError, routes, type Execution } from '@coherex/contract'
import type { Hono } from 'hono'
import { inTeam } from '../../../access/index.ts'
import type { StoredTurn } from '../../../agents/index.ts'
import type { Api } from '../../api.ts'
import { mount } from '../mount.ts'
import type { Env } from '../requests/request-context.ts'
import { streamTurn } from './stream-turn.ts'

const { triggers: route } = routes
const longestInput = 200_000

/** Agents for programs: one request, one turn in a thread of its own. */
export function mountExecute(app: Hono<Env>, api: Api): void {
  const { threads, turns } = api.agents

  mount(app, api, route.execute, async ({ params, query, body, caller, context }) => {
    const team = inTeam(caller)
    const { input, workspaceId, model } = body
    const text = typeof input === 'string' ? input : JSON.stringify(input, null, 2)
    if (text.length > longestInput)
      throw new CoherexError('too_large', 'input: must not be longer than 200,000 characters')
    const request = { agent: params.name, workspaceId, model, title: `${params.name}: ${text.slice(0, 80)}` }
    const thread = await threads.create(team, request)
    const turn = await turns.say({ caller: team, threadId: thread.id, text }).catch(async (error: unknown) => {
      // nobody asked for a conversation: one without a word in it would only be in the way
      await threads.remove(team, thread.id)
      throw error
    })
    context.header('x-turn-id', turn.id)
    context.header('x-thread-id', thread.id)
    if (query.wait === 'false') return context.json(await describe(turn), 202)
    if (context.req.header('accept')?.includes('text/event-stream')) return streamTurn(context, turns, turn, 0)
    // it goes on when the caller hangs up, as a run does
    const gone = context.req.raw.signal
    for await (const _ of turns.stream(turn, 0, gone)) if (gone.aborted) break
    return describe(turn)
  })

  async function describe({ teamId, id, threadId, answerId }: StoredTurn): Promise<Execution> {
    const turn = await turns.get(teamId, id)
    const { parts } = await threads.readMessage(teamId, threadId, answerId)
    const words = parts.flatMap((part) =>
      part.type === 'text' && typeof part['text'] === 'string' ? part['text'] : [],
    )
    return { ...turn, output: turn.endedAt && words.length > 0 ? words.join('\n') : null }
  }
}
