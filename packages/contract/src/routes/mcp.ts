import { z } from 'zod'
import { oauthClientGrant } from '../access/oauth.ts'
import { mcpServerEntry, mcpServerPage, mcpSetup } from '../tools/mcp.ts'
import { idOf } from '../wire/id.ts'
import { route } from '../wire/route.ts'
import { text } from '../wire/text.ts'

const tag = 'MCP'
/** Names have a slash, which is written %2F in an address. */
const registryServer = z.object({ name: text().max(200) })
const reads = { role: 'viewer', scope: 'read' } as const

export const mcp = {
  message: route({
    method: 'post',
    path: '/mcp',
    summary: 'One message of the Model Context Protocol',
    description:
      'Streamable HTTP in the revisions 2026-07-28 and 2025-11-25. `initialize` of the older one opens a session, whose id is the header `Mcp-Session-Id`; a message without it is answered on its own. The answer is JSON-RPC, as JSON or as server-sent events. Tools follow the rights of the caller; a token of an OAuth client is taken here and nowhere else.',
    tag,
    access: { role: 'viewer', scope: 'read' },
    body: 'bytes',
    idempotent: false,
    takesTokens: true,
    response: 'text',
  }),
  stream: route({
    method: 'get',
    path: '/mcp',
    summary: 'The stream of an MCP session: changes of lists and of resources that it is subscribed to',
    description: 'For clients of the revision 2025-11-25, with the header `Mcp-Session-Id`. One for each session.',
    tag,
    access: { role: 'viewer', scope: 'read' },
    takesTokens: true,
    refusals: ['invalid_input', 'not_found', 'conflict'],
    response: 'text',
  }),
  endSession: route({
    method: 'delete',
    path: '/mcp',
    summary: 'End an MCP session',
    description: 'For clients of the revision 2025-11-25, with the header `Mcp-Session-Id`.',
    tag,
    access: { role: 'viewer', scope: 'read' },
    takesTokens: true,
    refusals: ['invalid_input', 'not_found'],
  }),
  setup: route({
    method: 'get',
    path: '/api/v1/mcp',
    summary: 'The address for MCP clients, what they find there, and what to paste into each of them',
    tag,
    access: reads,
    response: mcpSetup,
  }),
  clients: route({
    method: 'get',
    path: '/api/v1/mcp/clients',
    summary: 'Clients you let into the team; an admin sees everyone’s',
    tag,
    access: { role: 'viewer', scope: 'admin' },
    response: z.object({ items: z.array(oauthClientGrant) }),
  }),
  revokeClient: route({
    method: 'delete',
    path: '/api/v1/mcp/clients/{id}',
    summary: 'Take a client’s access back at once',
    tag,
    access: { role: 'viewer', scope: 'admin' },
    params: z.object({ id: idOf('key') }),
  }),
  registry: route({
    method: 'get',
    path: '/mcp/registry/v0.1/servers',
    summary: 'What the team deployed, in the API of the MCP registry (v0.1)',
    tag,
    access: reads,
    query: z.object({
      search: text().max(200).optional(),
      version: text().max(100).optional().describe('`latest`, or the version of a server'),
      updated_since: z.iso.datetime().optional(),
      cursor: text().max(200).optional(),
      limit: z.coerce.number().int().min(1).max(200).optional(),
    }),
    response: mcpServerPage,
  }),
  registryVersions: route({
    method: 'get',
    path: '/mcp/registry/v0.1/servers/{name}/versions',
    summary: 'Versions of a server in the MCP registry: there is one',
    tag,
    access: reads,
    params: registryServer,
    response: mcpServerPage,
  }),
  registryVersion: route({
    method: 'get',
    path: '/mcp/registry/v0.1/servers/{name}/versions/{version}',
    summary: 'One version of a server in the MCP registry, or `latest`',
    tag,
    access: reads,
    params: registryServer.extend({ version: text().max(100) }),
    response: mcpServerEntry,
  }),
}
