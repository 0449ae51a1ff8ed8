import type { AppOwner } from '@coherex/contract'
import { z } from 'zod'
import type { TeamCaller } from '../../access/index.ts'
import type { McpServers, OfferedMcpTool } from '../../tools/index.ts'
import { defineTool, type AgentTool } from '../turn/tool.ts'

/** What agents need of the team's MCP servers. */
export type AgentMcp = Pick<McpServers, 'offered' | 'call' | 'app'>

/** Approved tools of an MCP server: `github` for all of them, `github/search_issues` for one. */
export async function mcpTools(mcp: AgentMcp, teamId: string, named: string): Promise<AgentTool[]> {
  const [server = '', tool] = named.split('/')
  return (await mcp.offered(teamId, { server, tool })).map((one) => toMcpTool(mcp, one))
}

export function toMcpTool(mcp: AgentMcp, offered: OfferedMcpTool): AgentTool {
  const { server, tool, hash, offeredAs, description, inputSchema, isReadOnly } = offered
  return defineTool({
    name: offeredAs,
    description,
    // as the server has it: what models are told, while the call itself checks the value
    input: z.unknown().meta(typeof inputSchema === 'boolean' ? {} : inputSchema),
    scope: 'run',
    isReadOnly,
    reference: `mcp:${server}/${tool}`,
    group: `mcp:${server}`,
    // it may change something that nobody here can see
    ...(!isReadOnly && { asksUnlessSaid: 'always' as const }),
    async run(input, { caller, signal, onProgress }) {
      const call = { server, tool, hash, input }
      const told = { signal, onProgress: onlyWords(onProgress) }
      const { text, displays, structured, meta, hasApp } = await mcp.call(caller satisfies TeamCaller, call, told)
      const app = hasApp && { app: { kind: 'mcp', server, tool } satisfies AppOwner, meta: (meta ?? null) as never }
      const data = { ...(structured !== undefined && { structured: structured as never }), ...app }
      return { text, ...(displays && { displays }), ...(Object.keys(data).length > 0 && { data }) }
    },
  })
}

/** A server may tell of its progress as often as it likes; people see some of it. */
function onlyWords(onProgress: (progress: { text: string }) => void) {
  let last = 0
  return ({
    progress,
    total,
    message,
  }: {
    progress: number
    total?: number | undefined
    message?: string | undefined
  }) => {
    if (Date.now() - last < 500) return
    last = Date.now()
    const share = total ? `${Math.round((progress / total) * 100)} %` : ''
    onProgress({ text: [share, message?.slice(0, 500)].filter(Boolean).join(' ') || 'It works.' })
  }
}
