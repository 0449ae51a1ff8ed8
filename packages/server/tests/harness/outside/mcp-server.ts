import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, Server, type CallToolResult, type Tool } from '@modelcontextprotocol/server'

export interface ServedTool extends Omit<Tool, 'inputSchema'> {
  inputSchema?: Tool['inputSchema']
  answer?(input: Record<string, unknown>, options: { signal: AbortSignal }): CallToolResult | Promise<CallToolResult>
}

export interface TestMcpServer {
  url: string
  port: number
  /** What it lists from now on. */
  tools: ServedTool[]
  /** Pages that it gives for the addresses of views. */
  views: Record<string, string>
  /** Every request that arrived, whatever became of it. */
  requests: { method: string; path: string; headers: IncomingMessage['headers']; body: string }[]
  /** Answers in the place of the protocol, where it answers at all. True where it did. */
  intercept: ((request: IncomingMessage, response: ServerResponse, body: string) => boolean) | undefined
  /** The same, for a look at who asks, before anything else. */
  guard: ((request: IncomingMessage, response: ServerResponse) => Promise<boolean>) | undefined
  stop(): Promise<void>
}

const text = (value: string): CallToolResult => ({ content: [{ type: 'text', text: value }] })

/** A remote MCP server on loopback, made with the official library, that can be told to misbehave. */
export async function startMcpServer({ legacyOnly = false }: { legacyOnly?: boolean } = {}): Promise<TestMcpServer> {
  const handler = createMcpHandler(() => {
    const server = new Server({ name: 'test server', version: '1' }, { capabilities: { tools: {}, resources: {} } })
    server.setRequestHandler('tools/list', () => ({
      tools: served.tools.map(({ answer: _, inputSchema = { type: 'object' }, ...tool }) => ({ ...tool, inputSchema })),
    }))
    server.setRequestHandler('tools/call', async ({ params }, context) => {
      const tool = served.tools.find(({ name }) => name === params.name)
      if (!tool) throw new Error(`no tool ${params.name}`)
      const { signal } = context.mcpReq
      return (await tool.answer?.(params.arguments ?? {}, { signal })) ?? text('done')
    })
    server.setRequestHandler('resources/read', ({ params: { uri } }) => {
      const html = served.views[uri]
      if (html === undefined) throw new Error(`no view ${uri}`)
      return { contents: [{ uri, mimeType: 'text/html;profile=mcp-app', text: html }] }
    })
    return server
  })
  const answer = toNodeHandler(handler)
  const http = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const body = Buffer.concat(chunks).toString()
      const { method = '', url: path = '', headers } = request
      served.requests.push({ method, path, headers, body })
      if (await served.guard?.(request, response)) return
      if (served.intercept?.(request, response, body)) return
      if (legacyOnly && body.includes('"server/discover"')) {
        response.writeHead(400).end()
        return
      }
      await answer(request, response, body === '' ? undefined : (JSON.parse(body) as unknown))
    })().catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const { port } = http.address() as AddressInfo
  const served: TestMcpServer = {
    url: `http://127.0.0.1:${port}/mcp`,
    port,
    tools: [],
    views: {},
    requests: [],
    intercept: undefined,
    guard: undefined,
    async stop() {
      await handler.close()
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
  return served
}
