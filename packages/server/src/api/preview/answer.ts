import type { IncomingMessage, ServerResponse } from 'node:http'
import { CoherexError } from '@coherex/contract'
import type { Log } from '../../base/index.ts'
import { corsHeaders } from './preview-headers.ts'

const ownHeaders = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'self'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}

export function redirect(response: ServerResponse, status: number, location: string): void {
  response.writeHead(status, { ...ownHeaders, location, 'content-length': '0' })
  response.end()
}

export function answerPreflight({ headers }: IncomingMessage, response: ServerResponse): void {
  response.writeHead(204, {
    ...ownHeaders,
    ...corsHeaders(headers.origin),
    'access-control-allow-methods': headers['access-control-request-method'] ?? 'GET',
    'access-control-allow-headers': headers['access-control-request-headers'] ?? '',
    'access-control-max-age': '600',
  })
  response.end()
}

/** In the words of the API, as text: it is read by a person in place of a page. */
export function answerError(response: ServerResponse, error: unknown, log: Log): void {
  if (response.headersSent) {
    response.destroy()
    return
  }
  const known = error instanceof CoherexError ? error : undefined
  if (!known) log.error({ error }, 'a preview failed')
  const text = known?.message ?? 'Something went wrong on our side'
  response.writeHead(known?.status ?? 500, {
    ...ownHeaders,
    'content-type': 'text/plain; charset=utf-8',
    ...(known?.retryAfterSeconds === undefined ? {} : { 'retry-after': String(known.retryAfterSeconds) }),
  })
  response.end(`${text}\n`)
}
