import { isUtf8 } from 'node:buffer'
import { routes } from '@coherex/contract'
import type { Context, Hono } from 'hono'
import { inTeam, type Caller } from '../../access/index.ts'
import { refuseJson } from '../../base/index.ts'
import type { Api } from '../api.ts'
import { tellError } from '../http/answers/answer-error.ts'
import { mount } from '../http/mount.ts'
import { readBytes } from '../http/requests/read-body.ts'
import type { Env } from '../http/requests/request-context.ts'
import { authorOf } from '../http/requests/workspace-author.ts'
import type { Message } from './admitted.ts'
import { refuse } from './mcp-session.ts'
import { sessionHeader } from './mcp-sessions.ts'

const { mcp: route } = routes
const largestMessage = 4 * 1024 * 1024

/** MCP over Streamable HTTP: one message in, its answer out, as JSON or as a stream. Sessions of the older revision have a stream of their own. */
export function mountMcp(app: Hono<Env>, api: Api): void {
  mount(app, api, route.message, async ({ caller, context }) => {
    const bytes = await readBytes(context, largestMessage)
    const body = parseMessage(bytes)
    if (body instanceof Response) return body
    const session = context.get('headers').get(sessionHeader)
    if (session !== null && isCancellation(body)) {
      await api.mcp.cancel(inTeam(caller), session, body.params?.requestId)
      return new Response(null, { status: 202 })
    }
    return answer(api, { caller, context, body })
  })
  mount(app, api, route.stream, ({ caller, context }) => answer(api, { caller, context }))
  mount(app, api, route.endSession, ({ caller, context }) => answer(api, { caller, context }))
}

async function answer(
  api: Api,
  { caller, context, body }: { caller: Caller; context: Context<Env>; body?: object },
): Promise<Response> {
  const headers = context.get('headers')
  const end = new AbortController()
  const { signal } = end
  const message: Message = {
    visit: { caller: inTeam(caller), author: authorOf(caller, context), signal },
    ...{ headers, end, body },
    request: new Request(context.req.url, { method: context.req.method, headers: withoutSecrets(headers), signal }),
    tell: (error) => tellError(api.log, error, context),
  }
  context.env.outgoing.once('close', () => api.mcp.leave(message))
  const made = await api.mcp.answer(message)
  // proxies that gather output would undo the stream
  made.headers.set('x-accel-buffering', 'no')
  return made
}

/** One message, or the answer that refuses it. */
function parseMessage(bytes: Buffer): object | Response {
  const refusal = isUtf8(bytes) ? refuseJson(bytes) : 'it is not valid UTF-8'
  if (refusal !== undefined) return refuse(400, -32700, `The message cannot be read: ${refusal}`)
  try {
    const body = JSON.parse(bytes.toString('utf8')) as unknown
    // the revisions that are served have no batches: a list of thousands would be thousands of calls at the price of one
    if (Array.isArray(body)) return refuse(400, -32600, 'Batches are not served: send one message at a time')
    if (typeof body !== 'object' || body === null) return refuse(400, -32600, 'A message is an object')
    return body
  } catch {
    return refuse(400, -32700, 'The message is not valid JSON')
  }
}

function isCancellation(body: object): body is { params?: { requestId?: unknown } } {
  return (body as { method?: unknown }).method === 'notifications/cancelled'
}

function withoutSecrets(headers: Headers): Headers {
  const shown = new Headers(headers)
  for (const name of ['authorization', 'cookie']) shown.delete(name)
  return shown
}
