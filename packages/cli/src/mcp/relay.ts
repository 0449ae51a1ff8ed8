import { setTimeout as delay } from 'node:timers/promises'
import { readEvents } from '@coherex/contract'
import { postMessage, type Connection } from '../connect.ts'

/** A message of JSON-RPC, as far as its way depends on it. */
interface Message {
  id?: string | number
  method?: string
  params?: { name?: string; uri?: string; requestId?: string | number; _meta?: Record<string, unknown> }
}

export interface RelayOptions {
  connection: Connection
  /** Says one message to the client. */
  tell(message: string): void
  /** For people: a client shows none of it. */
  note(text: string): void
}

const versionKey = 'io.modelcontextprotocol/protocolVersion'
// a line that never ends would fill the memory; the server takes no larger message
const longestLine = 5_000_000
const graceMs = 1_000

/** Carries the messages of a client on a pipe to the server and its answers back. What a client cancels is hung up on. */
export function createRelay({ connection, tell, note }: RelayOptions) {
  const underWay = new Map<string | number, AbortController>()
  const sent = new Set<Promise<void>>()
  /** What the older revision says of its session in each request. */
  const session: Record<string, string> = {}
  let rest = ''
  const decoder = new TextDecoder()

  function take(line: string): void {
    const message = parse(line)
    if (!message) return tellError(null, -32700, 'The message is not valid JSON')
    if (message.method === 'notifications/cancelled') {
      underWay.get(message.params?.requestId ?? '')?.abort()
      return
    }
    const work = send(message, line).finally(() => sent.delete(work))
    sent.add(work)
  }

  async function send(message: Message, line: string): Promise<void> {
    const { id } = message
    const abort = new AbortController()
    // an answer of the client has an id of the server
    const isRequest = id !== undefined && message.method !== undefined
    if (isRequest) underWay.set(id, abort)
    try {
      const { signal } = abort
      const post = () => postMessage(connection, { headers: headersOf(message), body: line, signal })
      const response = await post()
      if (response.status !== 404 || session['mcp-session-id'] === undefined) return await pass(response, message)
      // a session that is gone cannot be told on a pipe: what needs none goes on without it
      delete session['mcp-session-id']
      await pass(await post(), message)
    } catch (error) {
      // whoever cancelled wants no answer
      if (abort.signal.aborted) return
      const why = error instanceof Error ? error.message : String(error)
      tellError(id, -32000, `Cannot reach Coherex at ${connection.url}: ${why}`)
    } finally {
      if (isRequest && underWay.get(id) === abort) underWay.delete(id)
    }
  }

  async function pass(response: Response, { id, method }: Message): Promise<void> {
    const type = response.headers.get('content-type') ?? ''
    const sessionId = response.headers.get('mcp-session-id')
    if (sessionId) session['mcp-session-id'] = sessionId
    if (type.startsWith('text/event-stream')) {
      if (response.body) for await (const { data } of readEvents(response.body)) answer(data, method)
      return
    }
    const text = await response.text()
    if (text === '' && response.ok) return
    // what the server refuses before it is a message has the form of its other answers
    const refusal = parse(text) as { error?: { code?: unknown; message?: string } } | undefined
    if (typeof refusal?.error?.code === 'string') {
      note(`coherex: ${refusal.error.message}`)
      return tellError(id, -32000, refusal.error.message ?? `The server answered ${response.status}`)
    }
    if (!refusal) return tellError(id, -32000, `The server answered ${response.status}`)
    answer(text, method)
  }

  function answer(text: string, method: string | undefined): void {
    const { result } = (parse(text) ?? {}) as { result?: { protocolVersion?: string } }
    if (method === 'initialize' && result?.protocolVersion) session['mcp-protocol-version'] = result.protocolVersion
    // one message is one line there
    tell(JSON.stringify(JSON.parse(text)))
  }

  function tellError(id: Message['id'] | null, code: number, message: string): void {
    if (id !== undefined) tell(JSON.stringify({ jsonrpc: '2.0', id, error: { code, message } }))
  }

  /** The newer revision repeats in headers what a message says. */
  function headersOf({ method, params }: Message): Record<string, string> {
    const version = params?._meta?.[versionKey]
    const name = params?.name ?? params?.uri
    return {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...(typeof version === 'string'
        ? {
            'mcp-protocol-version': version,
            ...(method === undefined ? {} : { 'mcp-method': toHeader(method) }),
            ...(name === undefined ? {} : { 'mcp-name': toHeader(name) }),
          }
        : session),
    }
  }

  return {
    take(bytes: Uint8Array): void {
      const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      if (rest.length > longestLine) throw new Error('A message is longer than 5 MB')
      for (const line of lines) if (line.trim() !== '') take(line)
    },
    /** The client says nothing more: what it asked is answered within a moment, or not at all. */
    async end(): Promise<void> {
      await Promise.race([Promise.all(sent), delay(graceMs, undefined, { ref: false })])
      for (const abort of underWay.values()) abort.abort()
      await Promise.all(sent)
    },
  }
}

function parse(text: string): Message | undefined {
  try {
    const value = JSON.parse(text) as unknown
    return typeof value === 'object' && value !== null ? value : undefined
  } catch {
    return undefined
  }
}

/** Headers hold visible ASCII; anything else is written in base64, as the protocol says. */
function toHeader(value: string): string {
  const isPlain = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value) && !value.startsWith('=?base64?')
  return isPlain ? value : `=?base64?${Buffer.from(value).toString('base64')}?=`
}
