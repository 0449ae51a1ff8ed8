import { z } from 'zod'
import { mcpLimits, mcpPlace, mcpServer, mcpServerName, mcpTools } from '../tools/mcp-server.ts'
import { route } from '../wire/route.ts'
import { text } from '../wire/text.ts'

const tag = 'MCP servers'
const params = z.object({ name: mcpServerName })

const reads = { role: 'viewer', scope: 'read' } as const
const decides = { role: 'admin', scope: 'admin' } as const

export const mcpServers = {
  list: route({
    method: 'get',
    path: '/api/v1/mcp-servers',
    summary: 'MCP servers whose tools agents of the team may use',
    tag,
    access: reads,
    response: z.object({ items: z.array(mcpServer) }),
  }),
  add: route({
    method: 'post',
    path: '/api/v1/mcp-servers',
    summary: 'Add an MCP server',
    description:
      'It is asked for its tools at once. Agents get none of them before an admin has approved them. A server that cannot be reached is added all the same, with the problem.',
    tag,
    access: decides,
    status: 201,
    body: z.strictObject({ name: mcpServerName, place: mcpPlace }),
    response: mcpServer,
  }),
  get: route({
    method: 'get',
    path: '/api/v1/mcp-servers/{name}',
    summary: 'An MCP server',
    tag,
    access: reads,
    params,
    response: mcpServer,
  }),
  change: route({
    method: 'patch',
    path: '/api/v1/mcp-servers/{name}',
    summary: 'Change where an MCP server is and how it is reached',
    description: 'Its tools are approved anew, and its sign-in is forgotten, because it may be another server now.',
    tag,
    access: decides,
    params,
    body: z.strictObject({ place: mcpPlace }),
    response: mcpServer,
  }),
  remove: route({
    method: 'delete',
    path: '/api/v1/mcp-servers/{name}',
    summary: 'Remove an MCP server',
    tag,
    access: decides,
    params,
  }),
  refresh: route({
    method: 'post',
    path: '/api/v1/mcp-servers/{name}/refresh',
    summary: 'Ask an MCP server for its tools now',
    tag,
    access: decides,
    params,
    response: mcpServer,
  }),
  connect: route({
    method: 'post',
    path: '/api/v1/mcp-servers/{name}/connect',
    summary: 'Begin to sign in to an MCP server that asks for OAuth',
    description:
      'Answers with the address that the admin opens. The sign-in ends at `/oauth/callback`, in the same browser.',
    tag,
    access: decides,
    params,
    idempotent: false,
    response: z.object({
      /** Null where a sign-in that was there could be renewed. */
      url: z.string().nullable(),
    }),
  }),
  tools: route({
    method: 'get',
    path: '/api/v1/mcp-servers/{name}/tools',
    summary: 'Tools of an MCP server, with what changed since they were approved',
    tag,
    access: reads,
    params,
    response: mcpTools,
  }),
  approve: route({
    method: 'post',
    path: '/api/v1/mcp-servers/{name}/tools/approve',
    summary: 'Approve tools of an MCP server as they were shown',
    description:
      'All that can be, or those that are named: others are then not approved any more. A hash of anything but the present tools is refused.',
    tag,
    access: decides,
    params,
    body: z.strictObject({
      hash: text().max(128),
      tools: z.array(text().max(200)).max(mcpLimits.tools).optional(),
    }),
    response: mcpTools,
  }),
}
