import { randomUUID } from 'node:crypto'
import { isIP } from 'node:net'
import type { MiddlewareHandler } from 'hono'
import { clientAddressHeader } from '../../../access/index.ts'
import { inSpan, type Log } from '../../../base/index.ts'
import type { Env } from './request-context.ts'

/** Gives each request its id, the client's address, a span and a line in the log. */
export function observeRequests({ log, trustProxy }: { log: Log; trustProxy: boolean }): MiddlewareHandler<Env> {
  return async (context, next) => {
    const requestId = randomUUID()
    const socketAddress = context.env.incoming?.socket.remoteAddress ?? null
    const address = clientAddress(socketAddress, context.req.header('x-forwarded-for'), trustProxy)
    const headers = new Headers(context.req.raw.headers)
    headers.set(clientAddressHeader, address ?? '')
    context.set('requestId', requestId)
    context.set('clientAddress', address)
    context.set('headers', headers)
    context.header('x-request-id', requestId)

    const started = performance.now()
    const { method } = context.req
    const path = withoutToken(context.req.path)
    const from = { traceparent: context.req.header('traceparent'), tracestate: context.req.header('tracestate') }
    const attributes = { 'http.request.method': method, 'url.path': path }
    await inSpan(method, { kind: 'server', attributes, from }, async (span) => {
      await next()
      const route = context.get('route')
      // few names: the route and not the address, and where there is none the method alone
      if (route !== undefined) span.updateName(`${method} ${route}`).setAttribute('http.route', route)
      span.setAttribute('http.response.status_code', context.res.status)
    })
    const durationMs = Math.round((performance.now() - started) * 10) / 10
    log.info(
      { requestId, method, path, status: context.res.status, durationMs, person: context.get('callerId') },
      'request',
    )
  }
}

/** Where a request came from: as our own proxy says, where there is one, else as its connection does. */
export function clientAddress(
  socketAddress: string | null,
  forwarded: string | undefined,
  trustProxy: boolean,
): string | null {
  return (trustProxy && forwardedFor(forwarded)) || plain(socketAddress)
}

/** The last entry is the one our own proxy wrote; those before it are whatever the client claimed. */
function forwardedFor(header: string | undefined): string | undefined {
  const last = header?.split(',').at(-1)?.trim()
  return last && isIP(last) ? last : undefined
}

/** Addresses of pages that links lead to end in a token that signs someone in: it belongs in no log. */
export function withoutToken(path: string): string {
  return path.replace(/^\/+(link|invite|reset|preview|hooks|s|embed|api\/v1\/shared)\/.*/s, '/$1/…')
}

function plain(address: string | null): string | null {
  return address?.replace(/^::ffff:/, '') ?? null
}
