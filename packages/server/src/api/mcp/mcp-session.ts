import {
  WebStandardStreamableHTTPServerTransport,
  type Server,
  type ServerNotifier,
} from '@modelcontextprotocol/server'
import type { TeamCaller } from '../../access/index.ts'
import { toAuthInfo, type Message } from './admitted.ts'

export type ListChange = Exclude<keyof ServerNotifier, 'resourceUpdated'>

export interface McpSessionOptions {
  id: string
  caller: TeamCaller
  server: Server
  subscribed: ReadonlySet<string>
  onEnd(): void
  onError(error: Error): void
}

/** A client of the older revision from `initialize` to its end: its subscriptions, its log level, and streams on which it is asked and told. */
export class McpSession {
  readonly id: string
  readonly caller: TeamCaller
  /** What the last message was let in by, for when rights change. */
  headers = new Headers()
  readonly subscribed: ReadonlySet<string>
  readonly #server: Server
  readonly #transport: WebStandardStreamableHTTPServerTransport
  readonly #open = new Set<Message>()
  /** Whose answer is the stream of what it is told. */
  #standing: Message | undefined
  readonly #onEnd: () => void
  readonly #onError: (error: Error) => void
  #usedAt = Date.now()
  #hasEnded = false

  constructor({ id, caller, server, subscribed, onEnd, onError }: McpSessionOptions) {
    this.id = id
    this.caller = caller
    this.subscribed = subscribed
    this.#server = server
    this.#onEnd = onEnd
    this.#onError = onError
    this.#transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      onsessionclosed: () => this.end(),
    })
  }

  /** When it was last used; undefined while something of it is open. */
  get idleSince(): number | undefined {
    return this.#open.size > 0 ? undefined : this.#usedAt
  }

  async connect(): Promise<void> {
    await this.#server.connect(this.#transport)
    this.#server.onerror = this.#onError
  }

  async answer(message: Message): Promise<Response> {
    const { request, body, end } = message
    const id = idOf(body)
    // an answer finds its way back by its id
    if (id !== undefined && [...this.#open].some((other) => idOf(other.body) === id))
      return refuse(400, -32600, 'The id of the request is in use by another one')
    this.headers = message.headers
    this.#open.add(message)
    end.signal.addEventListener('abort', () => this.#leave(message), { once: true })
    const answer = await this.#transport.handleRequest(request, {
      authInfo: toAuthInfo(message),
      ...(body !== undefined && { parsedBody: body }),
    })
    if (request.method !== 'GET' || !answer.ok) return answer
    this.#standing = message
    // its client may have left meanwhile
    if (end.signal.aborted) this.#transport.closeStandaloneSSEStream()
    return answer
  }

  /** Its stream of changes hears it. Without one it is lost, as the protocol has it. */
  tellList(change: ListChange): void {
    const server = this.#server
    const told = {
      toolsChanged: () => server.sendToolListChanged(),
      promptsChanged: () => server.sendPromptListChanged(),
      resourcesChanged: () => server.sendResourceListChanged(),
    }[change]()
    told.catch(this.#onError)
  }

  tellUpdate(uri: string): void {
    this.#server.sendResourceUpdated({ uri }).catch(this.#onError)
  }

  async end(): Promise<void> {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#onEnd()
    for (const { end } of this.#open) end.abort()
    await this.#server.close()
  }

  #leave(message: Message): void {
    this.#open.delete(message)
    this.#usedAt = Date.now()
    const id = idOf(message.body)
    // whoever was shut out may still hold the connection
    if (message === this.#standing) this.#transport.closeStandaloneSSEStream()
    else if (id !== undefined) this.#transport.closeSSEStream(id)
  }
}

/** The id of a request; an answer of the client has one that is ours. */
function idOf(body: unknown): string | number | undefined {
  const { id, method } = (body ?? {}) as { id?: string | number; method?: unknown }
  return method === undefined ? undefined : id
}

export function refuse(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status })
}
