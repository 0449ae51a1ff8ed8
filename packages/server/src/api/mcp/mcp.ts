import { isUtf8 } from 'node:buffer'
import { randomUUID } from 'node:crypto'
import { routes } from '@coherex/contract'
import type { Hono } from 'hono'
import { inTeam } from '../../access/index.ts'
import { refuseJson } from '../../base/index.ts'
import type { Api } from '../api.ts'
import { tellError } from '../http/answers/answer-error.ts'
import { mount } from '../http/mount.ts'
import { readBytes } from '../http/requests/read-body.ts'
import type { Env } from '../http/requests/request-context.ts'
import { authorOf } from '../http/requests/workspace-author.ts'
import { sessionHeader, type Message } from './mcp-door.ts'

const { mcp: route } = routes
const largestMessage = 4 * 1024 * 1024

/** MCP over Streamable HTTP: one message in, its answer out, as JSON or as a stream. */
export function mountMcp(app: Hono<Env>, api: Api): void {
  mount(app, api, route.message, async ({ caller, context }) => {
    const bytes = await readBytes(context, largestMessage)
    const body = parseMessage(bytes)
    if (body instanceof Response) return body
    const headers = context.get('headers')
    const session = headers.get(sessionHeader)
    if (session !== null && isCancellation(body)) {
      api.mcp.cancel(session, body.params?.requestId)
      return new Response(null, { status: 202 })
    }
    const end = new AbortController()
    const message: Message = {
      visit: { caller: inTeam(caller), author: authorOf(caller, context), signal: end.signal },
      ...{ headers, end, body },
      request: new Request(context.req.url, { method: 'POST', headers: withoutSecrets(headers), signal: end.signal }),
      tell: (error) => tellError(api.log, error, context),
    }
    context.env.outgoing.once('close', () => api.mcp.leave(message))
    const answer = await api.mcp.answer(message)
    // proxies that gather output would undo the stream
    answer.headers.set('x-accel-buffering', 'no')
    // kept nowhere: it only tells the calls of one client from those of another with the same key
    if ((body as { method?: unknown }).method === 'initialize') answer.headers.set(sessionHeader, randomUUID())
    return answer
  })
}

/** One message, or the answer that refuses it. */
function parseMessage(bytes: Buffer): object | Response {
  const refusal = isUtf8(bytes) ? refuseJson(bytes) : 'it is not valid UTF-8'
  if (refusal !== undefined) return refuse(-32700, `The message cannot be read: ${refusal}`)
  try {
    const body = JSON.parse(bytes.toString('utf8')) as unknown
    // the revisions that are served have no batches: a list of thousands would be thousands of calls at the price of one
    if (Array.isArray(body)) return refuse(-32600, 'Batches are not served: send one message at a time')
    if (typeof body !== 'object' || body === null) return refuse(-32600, 'A message is an object')
    return body
  } catch {
    return refuse(-32700, 'The message is not valid JSON')
  }
}

function refuse(code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status: 400 })
}

function isCancellation(body: object): body is { params?: { requestId?: unknown } } {
  return (body as { method?: unknown }).method === 'notifications/cancelled'
}

function withoutSecrets(headers: Headers): Headers {
  const shown = new Headers(headers)
  for (const name of ['authorization', 'cookie']) shown.delete(name)
  return shown
}
