import { CoherexError } from '@coherex/contract'
import { StreamableHTTPClientTransport, type AuthProvider, type Transport } from '@modelcontextprotocol/client'
import { EgressError, teamRules, type Egress, type GuardedFetch } from '../../egress/index.ts'
import { mcpTimes, type McpTimes } from './mcp-connection.ts'
import { causeOf } from './mcp-failure.ts'

const mostBytes = 10_000_000

export interface RemoteOptions {
  egress: Pick<Egress, 'fetchFor'>
  url: string
  headers?: Record<string, string>
  authProvider?: AuthProvider | undefined
  times?: McpTimes
  /** Hears why an answer broke off: whoever waits for it would wait until its time is over. */
  onBreak(reason: string): void
}

/** Streamable HTTP through the guard: nothing but the server's own address is reached, whatever it redirects to. */
export function createRemoteTransport(options: RemoteOptions): Transport {
  const { egress, url, headers = {}, authProvider, times = mcpTimes, onBreak } = options
  const address = parseAddress(url)
  const rules = teamRules({
    allow: [`${address.origin}${address.pathname}`],
    methods: ['GET', 'POST', 'DELETE'],
    limits: {
      headersMs: times.callMs,
      totalMs: times.callMs + times.answerMs,
      idleMs: times.callMs,
      bodyBytes: mostBytes,
    },
  })
  const guarded = egress.fetchFor(rules)
  const fetch: GuardedFetch = async (input, init) => {
    // a stream of what nobody asked for; one that goes on where an answer broke off names the event
    const isUnasked = init?.method === 'GET' && !new Headers(init.headers).has('last-event-id')
    if (isUnasked) return new Response(null, { status: 405 })
    return watchBody(await guarded(input, init), onBreak)
  }
  return new StreamableHTTPClientTransport(address, {
    fetch,
    requestInit: { headers },
    ...(authProvider && { authProvider }),
  })
}

/** Throws unless the address can be one of a server. */
export function parseAddress(url: string): URL {
  const address = URL.parse(url)
  if (!address || !/^https?:$/.test(address.protocol) || address.username || address.password || address.hash)
    throw new CoherexError('invalid_input', 'The address must begin with https:// and have no credentials in it')
  try {
    teamRules({ allow: [`${address.origin}${address.pathname}`] })
  } catch (error) {
    if (error instanceof EgressError) throw new CoherexError('invalid_input', error.message)
    throw error
  }
  return address
}

/** The library tells of a stream that breaks by its words alone. */
function watchBody(response: Response, onBreak: (reason: string) => void): Response {
  if (!response.body) return response
  const reader = response.body.getReader()
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (done) controller.close()
        else controller.enqueue(value)
      } catch (error) {
        const why = causeOf(error)
        if (why) onBreak(`broke off: ${why.message}`)
        controller.error(error)
      }
    },
    cancel: (reason) => reader.cancel(reason),
  })
  const { status, statusText, headers, url } = response
  return Object.defineProperty(new Response(body, { status, statusText, headers }), 'url', { value: url })
}
