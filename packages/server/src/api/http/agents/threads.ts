import { CoherexError, routes, type ThreadOrigin, type Turn } from '@coherex/contract'
import type { Context, Hono } from 'hono'
import { inTeam } from '../../../access/index.ts'
import { fromMarkdown, toMarkdown, type StoredTurn } from '../../../agents/index.ts'
import type { Api } from '../../api.ts'
import { mount } from '../mount.ts'
import type { Env } from '../requests/request-context.ts'
import { authorOf } from '../requests/workspace-author.ts'
import { streamTurn } from './stream-turn.ts'

const { threads: route } = routes

export function mountThreads(app: Hono<Env>, api: Api): void {
  const { apps, threads, turns } = api.agents

  mount(app, api, route.create, async ({ body, caller }) => threads.create(inTeam(caller), body))

  mount(app, api, route.import, async ({ body, caller }) =>
    body.kind === 'notebook'
      ? api.artifacts.importNotebook(inTeam(caller), body)
      : threads.import(inTeam(caller), body.kind === 'markdown' ? fromMarkdown(body.text) : body),
  )

  mount(app, api, route.list, async ({ query, caller }) => {
    const team = inTeam(caller)
    const { mine, archived, startedBy, ...filters } = query
    return threads.list(team, {
      ...filters,
      isArchived: archived === 'true',
      ...(startedBy !== undefined && { origins: startedBy.split(',') as ThreadOrigin[] }),
      ...(mine === 'true' && { personId: team.person.id }),
    })
  })

  mount(app, api, route.get, async ({ params, caller }) => threads.get(inTeam(caller).teamId, params.id))

  mount(app, api, route.change, async ({ params, body, caller }) => threads.change(inTeam(caller), params.id, body))

  mount(app, api, route.clear, async ({ params, caller }) => threads.clear(inTeam(caller).teamId, params.id))
  mount(app, api, route.remove, async ({ params, caller }) => threads.remove(inTeam(caller), params.id))

  mount(app, api, route.message, async ({ params, caller }) =>
    threads.readMessage(inTeam(caller).teamId, params.id, params.messageId),
  )

  const write = (value: unknown) => JSON.stringify(value, null, 2)
  const exportedAs = {
    json: {
      ...{ type: 'application/json', ending: 'json' },
      read: async (teamId: string, id: string) => write(await threads.export(teamId, id)),
    },
    markdown: {
      ...{ type: 'text/markdown; charset=utf-8', ending: 'md' },
      read: async (teamId: string, id: string) => toMarkdown(await threads.get(teamId, id)),
    },
    ipynb: {
      ...{ type: 'application/x-ipynb+json', ending: 'ipynb' },
      read: async (teamId: string, id: string) => write(await api.artifacts.exportNotebook(teamId, id)),
    },
  }
  mount(app, api, route.app, async ({ params, caller }) => apps.read(inTeam(caller).teamId, toNamedCall(params)))
  mount(app, api, route.callFromApp, async ({ params, body, caller, context }) =>
    apps.call(inTeam(caller), toNamedCall(params), { ...body, signal: context.req.raw.signal }),
  )

  mount(app, api, route.export, async ({ params, query, caller, context }) => {
    const { teamId } = inTeam(caller)
    const { type, ending, read } = exportedAs[query.format]
    context.header('content-disposition', `attachment; filename="thread.${ending}"`)
    return context.body(await read(teamId, params.id), 200, { 'content-type': type })
  })

  mount(app, api, route.turn, async ({ params, query, body, caller, context }) => {
    const saying = { caller: inTeam(caller), threadId: params.id, ...body }
    if (query.wait === 'true') return streamTurn(context, turns, await turns.say(saying), 0)
    const { turnId, queued } = await turns.sayOrQueue(saying)
    return context.json({ ...(await turns.get(saying.caller.teamId, turnId)), ...(queued && { queued }) }, 202)
  })

  mount(app, api, route.changeQueued, async ({ params: { id: threadId, messageId }, body, caller }) =>
    turns.changeQueued(inTeam(caller), { threadId, messageId }, body.text),
  )

  mount(app, api, route.removeQueued, async ({ params: { id: threadId, messageId }, caller }) =>
    turns.removeQueued(inTeam(caller), { threadId, messageId }),
  )

  mount(app, api, route.regenerate, async ({ params, query, body, caller, context }) => {
    const { id, messageId } = params
    const turn = await turns.regenerate(inTeam(caller), id, { messageId, ...body })
    return answer(context, turn, query.wait)
  })

  mount(app, api, route.continue, async ({ params, query, caller, context }) =>
    answer(context, await turns.continue(inTeam(caller), params.id), query.wait),
  )

  mount(app, api, route.stop, async ({ params, caller }) => turns.stop(inTeam(caller), params.id))
  mount(app, api, route.turns, async ({ query, caller }) => turns.list(inTeam(caller).teamId, query))
  mount(app, api, route.getTurn, async ({ params, caller }) => turns.get(inTeam(caller).teamId, params.id))

  mount(app, api, route.turnChanges, async ({ params, caller }) =>
    api.agents.turnChanges(inTeam(caller).teamId, params.id),
  )
  mount(app, api, route.undoTurn, async ({ params, query, caller, context }) =>
    api.agents.undoTurn(inTeam(caller), {
      ...{ turnId: params.id, author: authorOf(caller, context) },
      withConversation: query.conversation === 'true',
    }),
  )

  mount(app, api, route.stream, async ({ params, caller, context }) => {
    const { teamId } = inTeam(caller)
    const turn = await turns.current(teamId, params.id)
    if (!turn) return context.body(null, 204)
    return streamTurn(context, turns, turn, nextAfter(context, turn))
  })

  async function answer(context: Context<Env>, turn: StoredTurn, wait: 'true' | 'false'): Promise<Response | Turn> {
    if (wait === 'true') return streamTurn(context, turns, turn, 0)
    return context.json(await turns.get(turn.teamId, turn.id), 202)
  }
}

function toNamedCall({ id, messageId, callId }: { id: string; messageId: string; callId: string }) {
  return { threadId: id, messageId, callId }
}

/** Ids name their turn: one of an earlier turn means that all of this one is new. */
function nextAfter(context: Context<Env>, turn: StoredTurn): number {
  const last = context.req.header('last-event-id')
  if (last === undefined) return 0
  const match = /^(turn_[0-9a-z]{20,32}):(\d{1,9})$/.exec(last)
  if (!match) throw new CoherexError('invalid_input', 'Last-Event-ID must be the id of an event')
  return match[1] === turn.id ? Number(match[2]) + 1 : 0
}
