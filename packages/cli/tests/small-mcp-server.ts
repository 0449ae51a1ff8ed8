import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A remote MCP server of revision 2025-11-25 on loopback that lists the tools it is given. */
export async function startMcpServer(): Promise<SmallMcpServer> {
  const http = createServer((request, response) => {
    void (async () => {
      let body = ''
      for await (const chunk of request) body += String(chunk)
      served.headers.push(request.headers)
      const { id, method } = (body === '' ? {} : JSON.parse(body)) as { id?: number; method?: string }
      const result = method === undefined ? undefined : answers[method]?.()
      if (result === undefined) return void response.writeHead(id === undefined && method ? 202 : 400).end()
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result }))
    })().catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const { port } = http.address() as AddressInfo
  const served: SmallMcpServer = {
    ...{ url: `http://127.0.0.1:${port}/mcp`, port, tools: [], headers: [] },
    async stop() {
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
  const answers: Record<string, () => unknown> = {
    initialize: () => ({
      ...{ protocolVersion: '2025-11-25', capabilities: { tools: {} } },
      serverInfo: { name: 'small', version: '1' },
    }),
    'tools/list': () => ({ tools: served.tools.map((tool) => ({ inputSchema: { type: 'object' }, ...tool })) }),
  }
  return served
}

export interface SmallMcpServer {
  url: string
  port: number
  /** Listed from now on. */
  tools: { name: string; description: string; annotations?: { readOnlyHint: boolean } }[]
  /** Of every request that arrived. */
  headers: IncomingHttpHeaders[]
  stop(): Promise<void>
}
