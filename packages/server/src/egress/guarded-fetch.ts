import type { Readable } from 'node:stream'
import { type Exchange, startExchange } from './connections/exchange.ts'
import { createKeptConnections } from './connections/kept-connections.ts'
import type { ConnectionOptions } from './connections/open-connection.ts'
import { decodeBody } from './connections/read-body.ts'
import type { HeaderList } from './connections/request-headers.ts'
import { EgressError } from './egress-error.ts'
import type { EgressRules } from './rules.ts'

/** The standard `fetch`, for libraries that take one: the same guard, the body as a stream, connections used again. */
export type GuardedFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

const withoutBody = new Set([101, 204, 205, 304])
// what waits for a slow reader before the other side is slowed down
const heldBytes = 65_536

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
  return withUrl(new Response(streamBody(decoded, exchange, maxBytes), init), exchange)
}

/** The decoded body for readers of the web, in one hop, closed with its exchange. */
function streamBody(decoded: Readable, exchange: Exchange, maxBytes: number): ReadableStream<Uint8Array> {
  const { signal } = exchange
  let size = 0
  let isOver = false
  const close = () => {
    isOver = true
    signal.removeEventListener('abort', abort)
    decoded.destroy()
    exchange.close()
  }
  let fail = (_: unknown) => {}
  const abort = () => fail(signal.reason)
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        fail = (error) => {
          if (isOver) return
          close()
          controller.error(error)
        }
        decoded.on('data', (chunk: Uint8Array) => {
          if (isOver) return
          size += chunk.length
          if (size > maxBytes) return fail(tooLong(maxBytes))
          // the pool of buffers that it may be a part of is reused
          controller.enqueue(new Uint8Array(chunk))
          if ((controller.desiredSize ?? 0) <= 0) decoded.pause()
        })
        decoded.once('error', fail)
        decoded.once('end', () => {
          if (isOver) return
          close()
          controller.close()
        })
        decoded.once('close', () => fail(new Error('the connection was lost')))
        signal.addEventListener('abort', abort, { once: true })
        if (signal.aborted) abort()
      },
      pull: () => void decoded.resume(),
      cancel: close,
    },
    new ByteLengthQueuingStrategy({ highWaterMark: heldBytes }),
  )
}

function tooLong(maxBytes: number): EgressError {
  return new EgressError('FETCH_FAILED', 'too-large', `Cannot fetch: the answer is longer than ${maxBytes} bytes`)
}

// A constructed Response has no URL of its own, and libraries resolve against it.
function withUrl(response: Response, { url, redirected }: Exchange): Response {
  Object.defineProperty(response, 'url', { value: url })
  Object.defineProperty(response, 'redirected', { value: redirected })
  return response
}
