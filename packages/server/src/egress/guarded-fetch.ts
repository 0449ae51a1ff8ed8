import { Readable, Transform } from 'node:stream'
import { EgressError } from './egress-error.ts'
import { type Exchange, startExchange } from './exchange.ts'
import { createKeptConnections } from './kept-connections.ts'
import type { ConnectionOptions } from './open-connection.ts'
import { decodeBody } from './read-body.ts'
import type { HeaderList } from './request-headers.ts'
import type { EgressRules } from './rules.ts'

/** The standard `fetch`, for libraries that take one: the same guard, the body as a stream, connections used again. */
export type GuardedFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

const withoutBody = new Set([101, 204, 205, 304])

export function createGuardedFetch(connection: ConnectionOptions, rules: EgressRules): GuardedFetch {
  const kept = createKeptConnections()
  return async (input, init) => {
    // The platform's own Request reads all forms of body and headers; it is never sent by the platform.
    const request = new Request(input, init)
    const url = typeof input === 'string' ? input : input instanceof URL ? input.href : request.url
    const body = request.body ? new Uint8Array(await request.arrayBuffer()) : undefined
    const headers: HeaderList = [...request.headers]
    const { method, redirect, signal } = request
    let exchange: Exchange | undefined
    try {
      exchange = await startExchange({ url, method, headers, redirect, ...(body && { body }) }, rules, {
        ...connection,
        kept,
        signal,
      })
      return respond(exchange, rules.limits.bodyBytes)
    } catch (error) {
      exchange?.close()
      if (signal.aborted) throw signal.reason
      // what callers of fetch expect; the guard's own words are the cause
      throw new TypeError('fetch failed', { cause: error })
    }
  }
}

function respond(exchange: Exchange, maxBytes: number): Response {
  const { status, statusText } = exchange
  const isEmpty = withoutBody.has(status) || exchange.method === 'HEAD'
  const decoded = decodeBody(exchange)
  const headers = new Headers()
  for (const [name, value] of exchange.headers) {
    // they describe the encoded body, which nobody sees any more
    if (decoded !== exchange.body && (name === 'content-encoding' || name === 'content-length')) continue
    headers.append(name, value)
  }
  const init = { status, statusText, headers }
  if (isEmpty) {
    exchange.close()
    return withUrl(new Response(null, init), exchange)
  }
  const bounded = decoded.pipe(limitBytes(maxBytes))
  decoded.once('error', (error) => bounded.destroy(error))
  bounded.once('close', () => {
    decoded.destroy()
    exchange.close()
  })
  const end = () => bounded.destroy(exchange.signal.reason as Error)
  exchange.signal.addEventListener('abort', end, { once: true })
  return withUrl(new Response(Readable.toWeb(bounded) as ReadableStream<Uint8Array>, init), exchange)
}

function limitBytes(maxBytes: number): Transform {
  let size = 0
  return new Transform({
    transform(chunk: Uint8Array, _, done) {
      size += chunk.length
      if (size <= maxBytes) return done(null, chunk)
      done(new EgressError('FETCH_FAILED', 'too-large', `Cannot fetch: the answer is longer than ${maxBytes} bytes`))
    },
  })
}

// A constructed Response has no URL of its own, and libraries resolve against it.
function withUrl(response: Response, { url, redirected }: Exchange): Response {
  Object.defineProperty(response, 'url', { value: url })
  Object.defineProperty(response, 'redirected', { value: redirected })
  return response
}
