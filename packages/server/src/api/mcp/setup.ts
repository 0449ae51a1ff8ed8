import { CoherexError, routes, type McpServerPage } from '@coherex/contract'
import type { Hono } from 'hono'
import { inTeam } from '../../access/index.ts'
import type { Api } from '../http/api.ts'
import { mount } from '../http/mount.ts'
import type { Env } from '../http/requests/request-context.ts'
import { createSnippets } from './create-snippets.ts'

const { mcp: route } = routes
const mostPublished = 500

/** How clients find the door: the address, what to paste, a registry to look it up in, and who was let in. */
export function mountMcpSetup(app: Hono<Env>, api: Api): void {
  const url = `${api.publicUrl}${route.message.path}`
  const publishedBy = async (teamId: string) =>
    (await api.registry.tools.callable(teamId, { limit: mostPublished })).items.map(
      ({ name, description, version }) => ({ name, description, version }),
    )

  mount(app, api, route.setup, async ({ caller }) => ({
    url,
    revisions: ['2026-07-28', '2025-11-25'],
    published: await publishedBy(inTeam(caller).teamId),
    snippets: createSnippets(url),
  }))

  mount(app, api, route.clients, async ({ caller }) => ({ items: await api.access.oauth.list(inTeam(caller)) }))
  mount(app, api, route.revokeClient, async ({ params, caller }) => api.access.oauth.revoke(inTeam(caller), params.id))

  mount(app, api, route.registry, async ({ query, caller }) => {
    // a team has one server, so no page leads to another
    if (query.cursor !== undefined) throw new CoherexError('invalid_input', 'The cursor is not one that this list gave')
    const { teamId } = inTeam(caller)
    const [{ name: team }, published] = await Promise.all([api.access.teams.get(teamId), publishedBy(teamId)])
    const entry = describeServer({ api, url, team, published })
    const words = `${entry.server.name} ${entry.server.title} ${published.map(({ name }) => name).join(' ')}`
    const isMeant = words.toLowerCase().includes((query.search ?? '').toLowerCase())
    return { servers: isMeant ? [entry] : [], metadata: { count: isMeant ? 1 : 0 } }
  })
}

interface DescribedServer {
  api: Api
  url: string
  team: string
  published: { name: string }[]
}

/** server.json: a team's door is one server, with all its tools behind it. */
function describeServer({ api, url, team, published }: DescribedServer): McpServerPage['servers'][number] {
  const names = published.map(({ name }) => name)
  return {
    server: {
      $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
      name: `${reverseHost(new URL(url).hostname)}/coherex`,
      title: `Coherex of ${team}`.slice(0, 100),
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
      'io.modelcontextprotocol.registry/official': { status: 'active', isLatest: true },
      'coherex/tools': names,
    },
  }
}

/** Names of servers begin with a domain, its last part first. */
function reverseHost(hostname: string): string {
  const isName = /^[a-z0-9-]+(\.[a-z0-9-]+)+$/i.test(hostname) && !/^[\d.]+$/.test(hostname)
  return isName ? hostname.split('.').toReversed().join('.') : 'local.coherex'
}
