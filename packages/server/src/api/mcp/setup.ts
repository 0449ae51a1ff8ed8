import { routes } from '@coherex/contract'
import type { Hono } from 'hono'
import { inTeam } from '../../access/index.ts'
import type { Api } from '../api.ts'
import { mount } from '../http/mount.ts'
import type { Env } from '../http/requests/request-context.ts'
import { createSnippets } from './create-snippets.ts'
import { registryPath } from './registry.ts'

const { mcp: route } = routes
const mostPublished = 500

/** How clients find the door: the address, what to paste, and who was let in. */
export function mountMcpSetup(app: Hono<Env>, api: Api): void {
  const url = `${api.publicUrl}${route.message.path}`
  mount(app, api, route.setup, async ({ caller }) => ({
    url,
    registryUrl: `${api.publicUrl}${registryPath}`,
    revisions: ['2026-07-28', '2025-11-25'],
    published: (await api.registry.tools.callable(inTeam(caller).teamId, { limit: mostPublished })).items.map(
      ({ name, description, version }) => ({ name, description, version }),
    ),
    snippets: createSnippets(url),
  }))

  mount(app, api, route.clients, async ({ caller }) => ({ items: await api.access.oauth.list(inTeam(caller)) }))
  mount(app, api, route.revokeClient, async ({ params, caller }) => api.access.oauth.revoke(inTeam(caller), params.id))
}
