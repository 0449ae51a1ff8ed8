import { CapabilityError } from './errors.ts'
import { DOMException } from './events.ts'
import type { AbortSignalLike } from './events.ts'
import { Headers } from './headers.ts'
import { bytesOf, decodeUtf8, encodeUtf8 } from './text-coding.ts'
import { URLSearchParams } from './url-search-params.ts'

type BodyInit = string | ArrayBuffer | ArrayBufferView | URLSearchParams | null | undefined

/** What Request and Response share: a body that is read once. */
class Body {
  readonly headers: Headers
  #bytes: Uint8Array | null
  #used = false

  constructor(body: BodyInit, headers: Headers) {
    this.headers = headers
    this.#bytes =
      body === null || body === undefined
        ? null
        : typeof body === 'string'
          ? encodeUtf8(body)
          : body instanceof URLSearchParams
            ? encodeUtf8(String(body))
            : bytesOf(body)
    if (headers.has('content-type')) return
    if (typeof body === 'string') headers.set('content-type', 'text/plain;charset=UTF-8')
    else if (body instanceof URLSearchParams)
      headers.set('content-type', 'application/x-www-form-urlencoded;charset=UTF-8')
  }

  get bodyUsed(): boolean {
    return this.#used
  }

  async bytes(): Promise<Uint8Array> {
    if (this.#used) throw new TypeError('The body has already been read')
    this.#used = this.#bytes !== null
    return this.#bytes?.slice() ?? new Uint8Array()
  }

  async arrayBuffer(): Promise<ArrayBuffer> {
    return (await this.bytes()).buffer as ArrayBuffer
  }

  async text(): Promise<string> {
    return decodeUtf8(await this.bytes()).text.replace(/^\uFEFF/, '')
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text()) as unknown
  }

  protected copyBody(): Uint8Array | null {
    if (this.#used) throw new TypeError('The body has already been read')
    return this.#bytes
  }
}

interface RequestInit {
  method?: string
  headers?: ConstructorParameters<typeof Headers>[0]
  body?: BodyInit
  signal?: AbortSignalLike | null
  redirect?: 'follow' | 'manual' | 'error'
}

export class Request extends Body {
  readonly url: string
  readonly method: string
  readonly redirect: 'follow' | 'manual' | 'error'
  readonly signal: AbortSignalLike | null

  constructor(input: unknown, init: RequestInit = {}) {
    const from = input instanceof Request ? input : undefined
    super(init.body === undefined && from ? from.copyBody() : init.body, new Headers(init.headers ?? from?.headers))
    this.url = from?.url ?? String(input)
    const method = String(init.method ?? from?.method ?? 'GET')
    this.method = /^(get|head|post|put|delete|options)$/i.test(method) ? method.toUpperCase() : method
    this.redirect = init.redirect ?? from?.redirect ?? 'follow'
    this.signal = init.signal ?? from?.signal ?? null
    if ((this.method === 'GET' || this.method === 'HEAD') && this.copyBody())
      throw new TypeError(`A ${this.method} request cannot have a body`)
  }

  clone(): Request {
    return new Request(this)
  }

  /** For fetch, which sends the body without spending the request twice. */
  static async bodyOf(request: Request): Promise<Uint8Array | undefined> {
    return request.copyBody() ? request.bytes() : undefined
  }
}

interface ResponseInit {
  status?: number
  statusText?: string
  headers?: ConstructorParameters<typeof Headers>[0]
}

export class Response extends Body {
  status: number
  readonly statusText: string
  readonly type = 'basic'
  #url = ''
  #redirected = false
  #truncated = false

  constructor(body?: BodyInit, init: ResponseInit = {}) {
    super(body, new Headers(init.headers))
    this.status = init.status ?? 200
    this.statusText = init.statusText ?? ''
    if (!Number.isInteger(this.status) || this.status < 100 || this.status > 599)
      throw new RangeError(`Response: ${this.status} is not a status`)
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300
  }

  get url(): string {
    return this.#url
  }

  get redirected(): boolean {
    return this.#redirected
  }

  /** The body was cut at the host's limit. Not in the standard. */
  get truncated(): boolean {
    return this.#truncated
  }

  clone(): Response {
    const { statusText, headers } = this
    const copy = new Response(this.copyBody(), { statusText, headers })
    copy.status = this.status
    copy.#url = this.#url
    copy.#redirected = this.#redirected
    copy.#truncated = this.#truncated
    return copy
  }

  static json(data: unknown, init: ResponseInit = {}): Response {
    const headers = new Headers(init.headers)
    if (!headers.has('content-type')) headers.set('content-type', 'application/json')
    return new Response(JSON.stringify(data), { ...init, headers })
  }

  static received(answer: FetchAnswer): Response {
    const { status, statusText, headers } = answer
    const response = new Response(status === 204 || status === 304 ? null : answer.body, { statusText, headers })
    // a server may answer with any number, and some with 999, which code cannot make a Response of
    response.status = status
    response.#url = answer.url
    response.#redirected = answer.redirected
    response.#truncated = answer.truncated
    return response
  }
}

interface FetchAnswer {
  url: string
  status: number
  statusText: string
  redirected: boolean
  headers: [string, string][]
  body: Uint8Array
  truncated: boolean
}

/** The standard's fetch over the FETCH capability. */
export function createFetch(callFetch: (args: unknown[]) => Promise<unknown>) {
  return async function fetch(input: unknown, init: RequestInit = {}): Promise<Response> {
    const request = new Request(input, init)
    const { signal } = request
    signal?.throwIfAborted()
    const body = await Request.bodyOf(request)
    const { url, method, redirect } = request
    const sent = callFetch([
      url,
      { method, headers: [...request.headers], redirect, encoding: 'bytes', ...(body && { body }) },
    ])
    const aborted = new Promise<never>((_, reject) => {
      const stop = () => reject(signal?.reason ?? new DOMException('This operation was aborted', 'AbortError'))
      signal?.addEventListener('abort', stop, { once: true })
    })
    return Response.received((await Promise.race([sent, aborted])) as FetchAnswer)
  }
}

/** The fetch of a run without a network. The name is there, so that what is missing can be said. */
export async function refuseFetch(input: unknown): Promise<never> {
  const { url } = new Request(input)
  throw new CapabilityError('NOT_GRANTED', `Cannot fetch "${url.slice(0, 2000)}": this run has no network`)
}
