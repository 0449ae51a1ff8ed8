import { CoherexError, routes, type McpServerEntry } from '@coherex/contract'
import type { Hono } from 'hono'
import { inTeam, type Caller } from '../../access/index.ts'
import type { Api } from '../api.ts'
import { mount } from '../http/mount.ts'
import type { Env } from '../http/requests/request-context.ts'

const { mcp: route } = routes
const mostPublished = 500
/** Clients are given this, and add the version of the API. */
export const registryPath = '/mcp/registry'
// pages may read it with a key, never with a cookie
const cors = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, OPTIONS',
  'access-control-allow-headers': 'authorization, content-type',
}

/** The API of the MCP registry, v0.1: a team has one server, in one version. */
export function mountMcpRegistry(app: Hono<Env>, api: Api): void {
  app.use(`${registryPath}/*`, async (context, next) => {
    for (const [name, value] of Object.entries(cors)) context.header(name, value)
    const asksFirst = context.req.header('access-control-request-method') !== undefined
    return context.req.method === 'OPTIONS' && asksFirst ? context.body(null, 204) : next()
  })

  async function serverOf(caller: Caller): Promise<McpServerEntry> {
    const { teamId } = inTeam(caller)
    const [team, published] = await Promise.all([
      api.access.teams.get(teamId),
      api.registry.tools.callable(teamId, { limit: mostPublished }),
    ])
    return describeServer({ api, team, published: published.items })
  }

  async function findServer(caller: Caller, name: string): Promise<McpServerEntry> {
    const entry = await serverOf(caller)
    if (entry.server.name !== name) throw new CoherexError('not_found', `The registry has no server "${name}"`)
    return entry
  }

  mount(app, api, route.registry, async ({ query, caller }) => {
    // a team has one server, so no page leads to another
    if (query.cursor !== undefined) throw new CoherexError('invalid_input', 'The cursor is not one that this list gave')
    const entry = await serverOf(caller)
    const { name, title, version } = entry.server
    const words = [name, title, ...(entry._meta['coherex/tools'] as string[])].join(' ').toLowerCase()
    const { search = '', version: asked = 'latest', updated_since: since } = query
    const isMeant =
      words.includes(search.toLowerCase()) &&
      (asked === 'latest' || asked === version) &&
      (since === undefined || new Date(updatedAt(entry)) >= new Date(since))
    return { servers: isMeant ? [entry] : [], metadata: { count: isMeant ? 1 : 0 } }
  })

  mount(app, api, route.registryVersions, async ({ params, caller }) => ({
    servers: [await findServer(caller, params.name)],
    metadata: { count: 1 },
  }))

  mount(app, api, route.registryVersion, async ({ params, caller }) => {
    const entry = await findServer(caller, params.name)
    if (params.version === 'latest' || params.version === entry.server.version) return entry
    throw new CoherexError('not_found', `Server "${params.name}" has no version "${params.version}"`)
  })
}

interface DescribedServer {
  api: Api
  team: { name: string; createdAt: string }
  published: { name: string; createdAt: Date }[]
}

const official = 'io.modelcontextprotocol.registry/official'
const updatedAt = ({ _meta }: McpServerEntry) => (_meta[official] as { updatedAt: string }).updatedAt

/** server.json: a team's door is one server, with all its tools behind it. */
function describeServer({ api, team, published }: DescribedServer): McpServerEntry {
  const url = `${api.publicUrl}${route.message.path}`
  const names = published.map(({ name }) => name)
  const changed = Math.max(Date.parse(team.createdAt), ...published.map(({ createdAt }) => createdAt.getTime()))
  return {
    server: {
      $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
      name: `${reverseHost(new URL(url).hostname)}/coherex`,
      title: `Coherex of ${team.name}`.slice(0, 100),
      description: `Code, workspaces and agents of a team, and ${names.length} published tools`.slice(0, 100),
      version: api.version,
      remotes: [
        {
          type: 'streamable-http',
          url,
          headers: [
            {
              name: 'Authorization',
              description: 'Bearer and an API key; without it the client asks you to sign in',
              isRequired: false,
              isSecret: true,
            },
          ],
        },
      ],
    },
    _meta: {
      [official]: {
        ...{ status: 'active', isLatest: true, publishedAt: team.createdAt },
        updatedAt: new Date(changed).toISOString(),
      },
      'coherex/tools': names,
    },
  }
}

/** Names of servers begin with a domain, its last part first. */
function reverseHost(hostname: string): string {
  const isName = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(hostname) && !/^[\d.]+$/.test(hostname)
  return isName ? hostname.split('.').toReversed().join('.') : 'local.coherex'
}
