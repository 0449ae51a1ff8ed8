import { Readable } from 'node:stream'
import { CoherexError, languages, routes, type Run, type RunEvent } from '@coherex/contract'
import type { Context, Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import { inTeam } from '../../../access/index.ts'
import type { Api } from '../../api.ts'
import { createEventWriter } from '../answers/event-writer.ts'
import { holdBehind } from '../answers/guard-answers.ts'
import { letOthers } from '../answers/let-others.ts'
import { mount } from '../mount.ts'
import type { Env } from '../requests/request-context.ts'

const { runs: route } = routes
const keepAliveMs = 15_000

export function mountRuns(app: Hono<Env>, api: Api): void {
  const { runs } = api

  mount(app, api, route.create, async ({ body, query, caller, context }) => {
    const waits = query.wait === 'true'
    const streams = context.req.header('accept')?.includes('text/event-stream') ?? false
    const team = inTeam(caller)
    // whoever waits hears of the run only at its end, which is durable; whoever does not must be able to rely on it now
    const interactive = body.interactive ?? (streams && body.sandboxId !== undefined)
    const request = interactive ? { ...body, interactive } : body
    const live = await runs.start(team, request, { durable: !waits || streams })
    if (streams) return streamRun(context, team.teamId, live.id, -1)
    if (!waits) return context.json(await runs.get(team.teamId, live.id), 202)
    return live.ended
  })

  mount(app, api, route.route, async ({ body, caller }) => runs.route(inTeam(caller), body))
  mount(app, api, route.list, async ({ query, caller }) => runs.list(inTeam(caller).teamId, query))
  mount(app, api, route.get, async ({ params, caller }) => runs.get(inTeam(caller).teamId, params.id))
  mount(app, api, route.program, async ({ params, caller }) => runs.program(inTeam(caller).teamId, params.id))
  mount(app, api, route.cancel, async ({ params, caller }) => runs.cancel(inTeam(caller), params.id))

  mount(app, api, route.stdin, async ({ params, body, caller }) => {
    const { teamId } = inTeam(caller)
    await runs.get(teamId, params.id)
    await runs.answerInput(teamId, params.id, body.text ?? undefined)
  })

  mount(app, api, route.escalate, async ({ params, query, body, caller, context }) => {
    const team = inTeam(caller)
    const live = await api.executions.escalate(team, params.id, body.approve)
    return query.wait === 'true' ? live.ended : context.json(await runs.get(team.teamId, live.id), 202)
  })

  mount(app, api, route.fix, async ({ params, query, body, caller, context }) => {
    const team = inTeam(caller)
    const live = await api.executions.fix(team, params.id, body)
    return query.wait === 'true' ? live.ended : context.json(await runs.get(team.teamId, live.id), 202)
  })

  mount(app, api, route.events, async ({ params, caller, context }) => {
    const { teamId } = inTeam(caller)
    const last = context.req.header('last-event-id') ?? '-1'
    if (!/^-?\d{1,9}$/.test(last)) throw new CoherexError('invalid_input', 'Last-Event-ID must be the id of an event')
    return streamRun(context, teamId, params.id, Number(last))
  })

  mount(app, api, route.file, async ({ params, caller, context }) => {
    const { size, body } = await runs.file(inTeam(caller).teamId, params.id, params.path)
    const name = encodeURIComponent(params.path.split('/').at(-1) ?? 'file')
    return new Response(Readable.toWeb(body) as ReadableStream, {
      headers: {
        // never a page of ours: a guest wrote it
        'content-type': 'application/octet-stream',
        'content-disposition': `attachment; filename*=UTF-8''${name}`,
        'content-length': String(size),
        'x-request-id': context.get('requestId'),
      },
    })
  })

  mount(app, api, route.runtimes, async () => ({ items: runs.runtimes() }))

  mount(app, api, route.languages, async () => ({
    items: await Promise.all(
      languages.map(async (language) => {
        const version = await runs.languageVersion(language)
        return { ...runs.language(language), ...(version !== undefined && { version }) }
      }),
    ),
  }))

  async function streamRun(context: Context<Env>, teamId: string, id: string, after: number): Promise<Response> {
    const gone = new AbortController()
    const { events, bytes } = await runs.watch({ teamId, id, after, signal: gone.signal })
    // proxies that gather output would undo the stream
    context.header('x-accel-buffering', 'no')
    return streamSSE(context, async (stream) => {
      stream.onAbort(() => gone.abort())
      const timer = setInterval(() => void stream.write(': still here\n\n'), keepAliveMs)
      const letGo = holdBehind(context.env.outgoing, bytes)
      const writer = createEventWriter(stream, context.env.outgoing)
      try {
        for await (const { event, number } of events) {
          await letOthers()
          if (gone.signal.aborted) break
          writer.write({ id: String(number), event: event.type, data: JSON.stringify(dataOf(event)) })
          // the next one is made when the client has taken this one
          await writer.flush()
        }
      } finally {
        clearInterval(timer)
        letGo()
      }
    })
  }
}

function dataOf(event: RunEvent): Run | object {
  if (event.type === 'run-output') return event.output
  return event.type === 'run-input-request' ? event.request : event.run
}
