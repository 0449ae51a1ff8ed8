import { isUtf8 } from 'node:buffer'
import type { Readable } from 'node:stream'
import { errors } from 'undici'
import { parseUrl } from '../addresses/url-prefix.ts'
import { EgressError } from '../egress-error.ts'
import { findRoute } from '../route.ts'
import { checkMethod, checkUrl, type EgressLimits, type EgressRules, parseMethod } from '../rules.ts'
import { createHttpConnection, type HttpConnection } from './http-connection.ts'
import type { KeptConnections } from './kept-connections.ts'
import { beginAttempt, type ConnectionOptions, connectTo } from './open-connection.ts'
import { cleanRequestHeaders, type HeaderList, headersForRedirect } from './request-headers.ts'

export interface EgressRequest {
  url: string
  method?: string
  headers?: HeaderList
  body?: Uint8Array
  redirect?: 'follow' | 'manual' | 'error'
  /** Which content encodings to ask for; whoever says so decodes them as well. */
  encodings?: string
}

/** A response whose head has arrived. Whoever holds it reads the body within `signal` and closes it. */
export interface Exchange {
  url: string
  method: string
  status: number
  statusText: string
  headers: HeaderList
  redirected: boolean
  /** As it comes from the wire, still encoded. */
  body: Readable
  /** Ends with the request's total time. */
  signal: AbortSignal
  close(): void
}

/** A redirect that is about to be followed, unless the rules refuse where it leads. */
export interface Redirect {
  url: string
  status: number
  next: { url: string; method: string }
}

type ExchangeOptions = HopOptions & { onRedirect?: (redirect: Redirect) => void }

const redirectStatuses = new Set([301, 302, 303, 307, 308])

/** Sends a request and follows its redirects. Every hop passes all checks again, whichever connection it takes. */
export async function startExchange(
  request: EgressRequest,
  rules: EgressRules,
  { signal: callerSignal, onRedirect, ...connection }: ExchangeOptions,
): Promise<Exchange> {
  const total = new AbortController()
  const timer = setTimeout(() => total.abort(late('it took too long')), rules.limits.totalMs)
  timer.unref()
  const signal = AbortSignal.any([callerSignal, total.signal])
  try {
    let url = parseUrl(request.url)
    let method = parseMethod(request.method ?? 'GET')
    let headers = cleanRequestHeaders(request.headers ?? [])
    let body = request.body
    for (let hops = 0; ; hops++) {
      signal.throwIfAborted()
      checkMethod(method, rules)
      checkUrl(url, rules)
      const { encodings } = request
      const hop = await sendHop({ url, method, headers, body, encodings }, rules, { ...connection, signal })
      const location = readLocation(hop.headers)
      if (!redirectStatuses.has(hop.status) || location === undefined || request.redirect === 'manual') {
        const close = () => {
          clearTimeout(timer)
          hop.close()
        }
        return { ...hop, url: url.href, method, redirected: hops > 0, signal, close }
      }
      hop.close()
      if (request.redirect === 'error') throw tooFar('it answers with a redirect')
      if (hops >= rules.limits.redirects) throw tooFar(`it redirects more than ${rules.limits.redirects} times`)
      const dropsBody = becomesGet(hop.status, method)
      onRedirect?.({
        url: url.href,
        status: hop.status,
        next: { url: URL.parse(location, url)?.href ?? location, method: dropsBody ? 'GET' : method },
      })
      const next = parseUrl(location, url)
      headers = headersForRedirect(headers, { sameOrigin: next.origin === url.origin, dropsBody })
      if (dropsBody) {
        method = 'GET'
        body = undefined
      }
      url = next
    }
  } catch (error) {
    clearTimeout(timer)
    throw asEgressError(error, { callerSignal, total: total.signal })
  }

  function tooFar(why: string): EgressError {
    return new EgressError('FETCH_FAILED', 'redirects', `Cannot fetch "${request.url}": ${why}`)
  }
}

interface Hop {
  url: URL
  method: string
  headers: HeaderList
  body: Uint8Array | undefined
  encodings: string | undefined
}

type HopOptions = ConnectionOptions & { signal: AbortSignal; kept?: KeptConnections }

async function sendHop(hop: Hop, rules: EgressRules, options: HopOptions) {
  const { origin } = hop.url
  const { signal, kept } = options
  const attempt = beginAttempt(rules, signal)
  const reach = await findRoute(hop.url, rules, { ...options, ...attempt })
  const known = kept?.take(origin, reach.addresses)
  if (known) {
    const { bytesRead } = known.socket
    try {
      return await sendOver(known, hop, rules.limits, options)
    } catch (error) {
      // the other side may have closed it at this very moment; it has not if a byte of an answer came
      const isGone = !signal.aborted && !(error instanceof EgressError) && known.socket.bytesRead === bytesRead
      if (!isGone) throw error
    }
  }
  const time = known ? beginAttempt(rules, signal) : attempt
  const connected = await connectTo(hop.url, reach, { ...options, ...time })
  return sendOver(createHttpConnection(origin, connected, rules.limits), hop, rules.limits, options)
}

async function sendOver(connection: HttpConnection, hop: Hop, limits: EgressLimits, { signal, kept }: HopOptions) {
  const headTimer = new AbortController()
  const timer = setTimeout(() => headTimer.abort(late('no answer came in time')), limits.headersMs)
  try {
    const response = await connection.client.request({
      path: `${hop.url.pathname}${hop.url.search}`,
      method: hop.method,
      headers: requestHeaders(hop),
      body: hop.body ?? null,
      signal: AbortSignal.any([signal, headTimer.signal]),
      responseHeaders: 'raw',
    })
    const body = response.body as Readable
    body.on('error', () => {})
    let isClosed = false
    const close = () => {
      if (isClosed) return
      isClosed = true
      // one that was not read to its end has bytes of this answer in it
      if (kept && body.readableEnded) kept.give(connection)
      else connection.close()
    }
    return {
      status: response.statusCode,
      statusText: response.statusText,
      headers: readRawHeaders(response.headers),
      body,
      close,
    }
  } catch (error) {
    connection.close()
    if (headTimer.signal.aborted && !signal.aborted) throw headTimer.signal.reason
    throw error
  } finally {
    clearTimeout(timer)
  }
}

function requestHeaders({ headers, method, body, encodings = 'gzip, deflate, br, zstd' }: Hop): string[] {
  const list: HeaderList = [...headers, ['accept-encoding', encodings]]
  if (!headers.some(([name]) => name === 'user-agent')) list.push(['user-agent', 'coherex'])
  if (!headers.some(([name]) => name === 'accept')) list.push(['accept', '*/*'])
  if (!body && /^(POST|PUT|PATCH)$/.test(method)) list.push(['content-length', '0'])
  return list.flat()
}

// With responseHeaders: 'raw' undici answers with a flat array, though its type says an object.
function readRawHeaders(raw: unknown): HeaderList {
  const flat = raw as (string | Buffer)[]
  const list: HeaderList = []
  for (let i = 0; i + 1 < flat.length; i += 2) list.push([text(flat[i]).toLowerCase(), text(flat[i + 1])])
  return list
}

// Servers write letters of all scripts into it as they are, in UTF-8; headers are read as Latin-1.
function readLocation(headers: HeaderList): string | undefined {
  const value = headers.find(([name]) => name === 'location')?.[1]
  if (value === undefined) return undefined
  const bytes = Buffer.from(value, 'latin1')
  return isUtf8(bytes) ? bytes.toString() : value
}

function text(value: string | Buffer | undefined): string {
  return typeof value === 'string' ? value : (value?.toString('latin1') ?? '')
}

function becomesGet(status: number, method: string): boolean {
  if (status === 303) return method !== 'GET' && method !== 'HEAD'
  return (status === 301 || status === 302) && method === 'POST'
}

function late(why: string): EgressError {
  return new EgressError('FETCH_FAILED', 'timeout', `Cannot fetch: ${why}`)
}

/** Says what happened without repeating the words of a library or the kernel, which may carry addresses and paths. */
export function asEgressError(
  error: unknown,
  { callerSignal, total }: { callerSignal: AbortSignal; total: AbortSignal },
): EgressError {
  if (callerSignal.aborted) return new EgressError('FETCH_FAILED', 'aborted', 'Cannot fetch: the run was ended')
  if (total.aborted && total.reason instanceof EgressError) return total.reason
  if (error instanceof EgressError) return error
  const fail = (reason: 'timeout' | 'too-large' | 'response', why: string) =>
    new EgressError('FETCH_FAILED', reason, `Cannot fetch: ${why}`, error)
  if (error instanceof errors.HeadersOverflowError) return fail('too-large', 'the answer has too many headers')
  if (error instanceof errors.BodyTimeoutError) return fail('timeout', 'the answer stopped coming')
  if (error instanceof errors.HTTPParserError) return fail('response', 'the answer is not HTTP')
  return fail('response', 'the connection was lost')
}
