import { appMediaType, CoherexError, mcpLimits } from '@coherex/contract'
import {
  Client,
  SdkError,
  SdkErrorCode,
  type CallToolResult,
  type Progress,
  type ReadResourceResult,
  type Tool,
  type Transport,
} from '@modelcontextprotocol/client'
import { describeFailure } from './mcp-failure.ts'

/** Times, sizes and counts of what one server may do. */
export interface McpTimes {
  /** To connect, and for each page of tools. */
  answerMs: number
  /** One call, however much it tells of its progress. */
  callMs: number
}

export const mcpTimes: McpTimes = { answerMs: 20_000, callMs: 300_000 }

const mostPages = 20
/** What a server may say between two requests of ours. */
const mostMessages = 2_000

export interface OpenOptions {
  /** As the team calls the server. */
  server: string
  times?: McpTimes
  signal?: AbortSignal | undefined
}

/** One way to one server, for as long as somebody uses it. */
export interface McpConnection {
  readonly isOpen: boolean
  /** As the server calls itself, and the revision that both speak. */
  readonly title: string | null
  readonly protocol: string | null
  /** Whether the server said that its tools changed since they were listed. */
  readonly isStale: boolean
  listTools(): Promise<Tool[]>
  callTool(
    tool: Tool,
    input: Record<string, unknown>,
    options: { signal?: AbortSignal; onProgress?(progress: Progress): void },
  ): Promise<CallToolResult>
  readResource(uri: string): Promise<ReadResourceResult>
  /** Ends everything under way, with the reason. */
  fail(reason: string): void
  close(): Promise<void>
}

/**
 * Speaks with a server in the newest revision that it knows. The library's own checks of schemas are left out: they come
 * from strangers, and ours have bounds.
 */
export async function openMcpConnection(
  connectTo: (fail: (reason: string) => void) => Transport,
  { server, times = mcpTimes, signal }: OpenOptions,
): Promise<McpConnection> {
  let isOpen = true
  let isStale = false
  let reason: string | undefined
  let messages = 0

  const client = new Client(
    { name: 'coherex', version: '1' },
    {
      versionNegotiation: { mode: 'auto' },
      capabilities: { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: [appMediaType] } } },
      listMaxPages: mostPages,
      jsonSchemaValidator: {
        getValidator: () => (input: unknown) => ({ valid: true, data: input as never, errorMessage: undefined }),
      },
    },
  )
  const fail = (why: string) => {
    if (!isOpen) return
    reason = why
    void close()
  }
  const close = async () => {
    isOpen = false
    // the other side may be gone already
    await client.close().catch(() => undefined)
    // also where the client never came to hold it
    await transport.close().catch(() => undefined)
  }
  const transport = connectTo(fail)
  client.onclose = () => void (isOpen = false)
  client.setNotificationHandler('notifications/tools/list_changed', () => void (isStale = true))

  const ask = async <T>(work: () => Promise<T>, stop?: AbortSignal): Promise<T> => {
    messages = 0
    try {
      return await work()
    } catch (error) {
      stop?.throwIfAborted()
      if (error instanceof SdkError && error.code === SdkErrorCode.ListPaginationExceeded)
        throw describeFailure(server, error, `lists its tools on more than ${mostPages} pages`)
      throw describeFailure(server, error, reason)
    }
  }

  // the library asks twice where a server is silent, each time with the whole time
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    fail('did not answer in time')
    late.reject(new Error(reason))
  }, times.answerMs)
  try {
    const connected = () => client.connect(transport, { timeout: times.answerMs, ...(signal && { signal }) })
    await ask(() => Promise.race([connected(), late.promise]))
  } catch (error) {
    await close()
    throw error
  } finally {
    clearTimeout(timer)
  }
  const hear = transport.onmessage
  transport.onmessage = (message, extra) => {
    if (++messages > mostMessages) return fail(`sent more than ${mostMessages} messages for one request`)
    hear?.(message, extra)
  }

  return {
    get isOpen() {
      return isOpen
    },
    get isStale() {
      return isStale
    },
    title: client.getServerVersion()?.name ?? null,
    protocol: client.getNegotiatedProtocolVersion() ?? null,
    async listTools() {
      isStale = false
      const options = { timeout: times.answerMs, maxTotalTimeout: times.answerMs, cacheMode: 'bypass' as const }
      const { tools } = await ask(() => client.listTools(undefined, options))
      if (tools.length <= mcpLimits.tools) return tools
      throw new CoherexError('unavailable', `MCP server "${server}" has more than ${mcpLimits.tools} tools`)
    },
    callTool: (tool, input, { signal: stop, onProgress }) =>
      ask(
        () =>
          client.callTool(
            { name: tool.name, arguments: input },
            {
              toolDefinition: tool,
              ...{ timeout: times.callMs, maxTotalTimeout: times.callMs },
              ...(stop && { signal: stop }),
              ...(onProgress && { onprogress: onProgress }),
            },
          ),
        stop,
      ),
    readResource(uri) {
      const options = { timeout: times.answerMs, maxTotalTimeout: times.answerMs, cacheMode: 'bypass' as const }
      return ask(() => client.readResource({ uri }, options))
    },
    fail,
    close,
  }
}
