import { CoherexError, errorStatus, type ErrorCode } from './errors.ts'
import type { Route, RouteRequest, RouteResponse } from './route.ts'

/** The part of `fetch` the client needs, so that this package asks for neither Node nor a browser. */
export type FetchLike<Response extends ResponseLike = ResponseLike> = (
  url: string,
  init: { method: string; headers: Record<string, string>; body?: BytesLike; signal?: AbortSignalLike },
) => Promise<Response>

export interface ResponseLike {
  ok: boolean
  status: number
  headers: { get(name: string): string | null }
  text(): Promise<string>
}

// oxlint-disable-next-line typescript/no-explicit-any -- any platform's AbortSignal fits; it is only passed through
type AbortSignalLike = any

// oxlint-disable-next-line typescript/no-explicit-any -- text, or whatever the platform's fetch sends as bytes
type BytesLike = any

export interface ClientOptions<Response extends ResponseLike = ResponseLike> {
  /** Where the server is; empty for the page's own origin. */
  baseUrl: string
  fetch: FetchLike<Response>
  /** An API key; without one the session cookie counts. */
  key?: string
}

export interface CallOptions {
  signal?: AbortSignalLike
  idempotencyKey?: string
  /** Beside those the client sets itself. */
  headers?: Record<string, string>
}

export type Client = <R extends Route>(
  route: R,
  request: RouteRequest<R>,
  options?: CallOptions,
) => Promise<RouteResponse<R>>

/** Answers with the platform's own response once its headers are here, for what is no JSON: streams and files. */
export type Opener<Response extends ResponseLike> = <R extends Route>(
  route: R,
  request: RouteRequest<R>,
  options?: CallOptions,
) => Promise<Response>

/** A typed caller for every route of the contract. Failures are thrown as CoherexError, the network's included. */
export function createClient(options: ClientOptions): Client {
  const open = createOpener(options)
  return async (route, request, callOptions) => {
    const response = await open(route, request, callOptions)
    const text = await response.text().catch((cause: unknown) => {
      if (callOptions?.signal?.aborted) throw cause
      throw new CoherexError('unavailable', 'The connection broke before the answer was all here', { cause })
    })
    if (route.response === undefined) return undefined as RouteResponse<typeof route>
    return (route.response === 'text' ? text : JSON.parse(text)) as RouteResponse<typeof route>
  }
}

/** Like `createClient`, but leaves the body to be read as it comes. */
export function createOpener<Response extends ResponseLike>(clientOptions: ClientOptions<Response>): Opener<Response> {
  const { baseUrl, fetch, key } = clientOptions
  return async (route, request, options = {}) => {
    const { params, query, body } = request as { params?: object; query?: object; body?: unknown }
    const headers: Record<string, string> = { accept: route.response === 'text' ? '*/*' : 'application/json' }
    if (key) headers['authorization'] = `Bearer ${key}`
    const isBytes = route.body === 'bytes'
    if (body !== undefined) headers['content-type'] = isBytes ? 'application/octet-stream' : 'application/json'
    if (options.idempotencyKey) headers['idempotency-key'] = options.idempotencyKey

    const response = await fetch(baseUrl + fillPath(route.path, params) + toQuery(query), {
      method: route.method.toUpperCase(),
      headers: { ...headers, ...options.headers },
      ...(body === undefined ? {} : { body: isBytes ? body : JSON.stringify(body) }),
      ...(options.signal ? { signal: options.signal } : {}),
    }).catch((cause: unknown) => {
      if (options.signal?.aborted) throw cause
      throw new CoherexError('unavailable', `Cannot reach Coherex${baseUrl ? ` at ${baseUrl}` : ''}`, { cause })
    })
    if (!response.ok) throw toError(response, await response.text())
    return response
  }
}

function fillPath(path: string, params: object | undefined): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = (params as Record<string, unknown> | undefined)?.[name]
    return encodeURIComponent(String(value))
  })
}

function toQuery(query: object | undefined): string {
  const pairs = Object.entries(query ?? {})
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
  return pairs.length > 0 ? `?${pairs.join('&')}` : ''
}

function toError(response: ResponseLike, text: string): CoherexError {
  const retryAfter = Number(response.headers.get('retry-after'))
  const options = retryAfter > 0 ? { retryAfterSeconds: retryAfter } : {}
  try {
    const { error } = JSON.parse(text) as { error: { code: string; message: string; details?: unknown } }
    if (error.code in errorStatus) {
      return new CoherexError(error.code as ErrorCode, error.message, { ...options, details: error.details })
    }
  } catch {
    // not our JSON: a proxy answered; the status below says what is known
  }
  return new CoherexError('unavailable', `The server answered with status ${response.status}`, options)
}
