import { CoherexError, type Route, type RouteInput, type RouteResponse } from '@coherex/contract'
import type { Context, Hono } from 'hono'
import { checkAccess, inTeam, type Caller } from '../../access/index.ts'
import { actFor } from '../../base/index.ts'
import type { Api } from '../api.ts'
import { parseRequest } from './requests/parse-request.ts'
import { readBody } from './requests/read-body.ts'
import { originOf, type Env } from './requests/request-context.ts'

/** A request as its handler sees it: parsed and, unless the route is open to anyone, with a caller who may do this. */
export type HandlerRequest<R extends Route> = RouteInput<R> & {
  caller: R['access'] extends 'anyone' ? undefined : Caller
  context: Context<Env>
}

export type Handler<R extends Route> = (request: HandlerRequest<R>) => Promise<RouteResponse<R> | Response>

/** Puts a route of the contract on the server. The order is fixed: who, how often, whether, what, and only then the work. */
export function mount<R extends Route>(app: Hono<Env>, api: Api, route: R, handler: Handler<R>): void {
  // a path of a file has slashes of its own
  // line ends as well, so that such a path is refused by its name
  const path = route.path.replaceAll('{path}', ':path{[^]+}').replace(/\/\{(\w+)\}/g, '/:$1')
  app.on(route.method.toUpperCase(), path, async (context) => {
    context.set('route', route.path)
    const caller = route.access === 'anyone' ? undefined : await requireCaller(api, route, context)
    if (!caller) api.limitRate(`address ${context.get('clientAddress')}`)
    const input = await parseRequest(route, context)
    const request = { ...input, caller, context } as HandlerRequest<R>
    const answer = async () => {
      // what is read may be large, and is not made for who leaves as much unread
      const made =
        route.method === 'get' && caller?.teamId
          ? await api.answers.enter(context.env.outgoing, caller.teamId)
          : undefined
      try {
        const handle = async () => toResponse(route, context, await handler(request))
        return await (caller ? actFor(caller.person.id, handle) : handle())
      } finally {
        made?.()
      }
    }

    const key = context.req.header('idempotency-key')
    const honoursKey = route.method === 'post' && route.idempotent !== false
    if (!key || !honoursKey || !caller?.teamId) return answer()
    return once(api, caller, key, context, answer)
  })
}

async function requireCaller(api: Api, route: Route, context: Context<Env>): Promise<Caller> {
  const caller = await identify(api, route, context)
  api.limitRate(`${caller.via} ${caller.via === 'key' ? caller.credentialId : caller.person.id}`)
  checkAccess(route.access as Exclude<Route['access'], 'anyone'>, caller)
  context.set('callerId', caller.person.id)
  return caller
}

/** Those who show nothing, or a wrong key, are counted by their address: keys cannot be tried without end. */
async function identify(api: Api, route: Route, context: Context<Env>): Promise<Caller> {
  try {
    const audience = route.takesTokens ? `${api.publicUrl}${route.path}` : undefined
    const caller = await api.identifyCaller(context.get('headers'), originOf(context), audience)
    if (caller) return caller
    throw new CoherexError('unauthenticated', 'Sign in, or send an API key')
  } catch (error) {
    if (error instanceof CoherexError && error.code === 'unauthenticated') {
      api.limitRate(`address ${context.get('clientAddress')}`)
    }
    throw error
  }
}

async function toResponse<R extends Route>(
  route: R,
  context: Context<Env>,
  answer: RouteResponse<R> | Response,
): Promise<Response> {
  if (answer instanceof Response) return answer
  if (route.response === undefined) return context.body(null, route.status === 202 ? 202 : 204)
  if (route.response === 'text') return context.text(answer as string, route.status ?? 200)
  // bytes: a text that waits for its client is counted by its characters, which may be three bytes each
  const bytes = Buffer.from(JSON.stringify(answer))
  // said, so that small answers are sent as they are and only large ones are compressed
  context.header('content-length', String(bytes.length))
  context.header('content-type', 'application/json')
  return context.body(bytes, route.status ?? 200)
}

async function once(
  api: Api,
  anyone: Caller,
  key: string,
  context: Context<Env>,
  answer: () => Promise<Response>,
): Promise<Response> {
  if (!/^[\x21-\x7e]{1,200}$/.test(key)) {
    throw new CoherexError('invalid_input', 'Idempotency-Key must be 1 to 200 visible characters')
  }
  const caller = inTeam(anyone)
  const request = `${context.req.method} ${context.req.path}\n${await readBody(context)}`
  const { idempotency } = api.access
  const before = await idempotency.take(caller, { key, request })
  if (before) {
    context.header('idempotency-replayed', 'true')
    context.header('content-type', before.type)
    return context.body(before.body, before.status as 200)
  }
  const letGo = idempotency.hold(caller, key)
  const response = await answer().catch(async (error: unknown) => {
    letGo()
    await idempotency.release(caller, key)
    throw error
  })
  const { status } = response
  const type = response.headers.get('content-type') ?? ''
  const copy = response.clone()
  const stored = copy
    .text()
    .then((body) => idempotency.store(caller, key, { status, type, body }))
    .finally(letGo)
  // a stream is not held back until it has ended; a second request meanwhile hears that the first is under way
  if (!type.startsWith('text/event-stream')) await stored
  else void stored.catch((error: unknown) => api.log.error({ error }, 'the answer of a stream was not kept'))
  return response
}
